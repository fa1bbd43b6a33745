internal import Coding
internal import HTTPServer
internal import ObjectStorage

/// An error as the XML API tells it.
struct XMLError: Error, Hashable {
  var status: Int
  var code: String
  var message: String
  var details: String?

  init(_ status: Int, _ code: String, _ message: String, details: String? = nil) {
    self.status = status
    self.code = code
    self.message = message
    self.details = details
  }

  static let invalidArgument = XMLError(400, "InvalidArgument", "Invalid argument.")
  static let notImplemented = XMLError(
    501, "NotImplemented",
    "A header or query you provided implies functionality that is not implemented.")
  static let wrongSignature = XMLError(
    403, "SignatureDoesNotMatch",
    "The request signature we calculated does not match the signature you provided.")
  static let expired = XMLError(400, "ExpiredToken", "Invalid argument.")

  init(_ error: StorageError, _ call: StorageCall) {
    switch error.code {
    case .notFound where call.pathName == nil || error == .noBucket:
      self.init(404, "NoSuchBucket", "The specified bucket does not exist.")
    case .notFound:
      self.init(404, "NoSuchKey", "The specified key does not exist.", details: error.message)
    case .invalidArgument where error.message.contains("doesn't match calculated"):
      self.init(
        400, "BadDigest", "The hash you specified did not match what we received.",
        details: error.message)
    case .invalidArgument where error.reason == "InvalidPolicyDocument":
      self.init(
        400, "InvalidPolicyDocument",
        "The content of the form does not meet the conditions specified in the policy document.",
        details: error.message)
    case .invalidArgument where error.reason != nil:
      self.init(
        400, error.reason.map { $0.prefix(1).uppercased() + $0.dropFirst() } ?? "", error.message)
    case .invalidArgument, .interrupted:
      self.init(400, "InvalidArgument", "Invalid argument.", details: error.message)
    case .permissionDenied, .retained:
      self.init(403, "AccessDenied", "Access denied.", details: error.message)
    case .conflict where call.request.method == "DELETE":
      self.init(409, "BucketNotEmpty", error.message)
    case .conflict: self.init(409, "BucketAlreadyOwnedByYou", error.message)
    case .failedPrecondition:
      self.init(
        412, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold.")
    case .full: self.init(507, "InsufficientStorage", error.message)
    case .notImplemented: self = .notImplemented
    case .internalError:
      self.init(500, "InternalError", "Internal Server Error", details: error.message)
    }
  }
}

extension StorageAnswer {
  init(_ error: XMLError) {
    var writer = XMLWriter()
    writer.element("Error") { writer in
      writer.element("Code", error.code)
      writer.element("Message", error.message)
      if let details = error.details, error.status != 500 { writer.element("Details", details) }
    }
    self.init(xml: writer, status: error.status)
  }

  init(xml writer: XMLWriter, status: Int = 200) {
    self.init(status: status)
    fields = [("Content-Type", "application/xml; charset=UTF-8")]
    body = writer.bytes
  }
}

/// Writes XML front to back.
struct XMLWriter {
  private(set) var bytes = Array("<?xml version='1.0' encoding='UTF-8'?>".utf8)

  /// An element with what `body` writes in it.
  mutating func element(
    _ name: StaticString, namespace: String? = nil, _ body: (inout XMLWriter) -> Void
  ) {
    let attribute = namespace.map { " xmlns='\($0)'" } ?? ""
    bytes += Array("<\(name)\(attribute)>".utf8)
    body(&self)
    bytes += Array("</\(name)>".utf8)
  }

  mutating func element(_ name: StaticString, _ text: String) {
    element(name) { $0.append(text) }
  }

  /// What no XML may hold, even escaped, becomes a replacement character.
  private mutating func append(_ text: String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "<": bytes += Array("&lt;".utf8)
      case ">": bytes += Array("&gt;".utf8)
      case "&": bytes += Array("&amp;".utf8)
      case "\"": bytes += Array("&quot;".utf8)
      case "\t", "\n", "\r": bytes += Array("&#\(scalar.value);".utf8)
      case "\0"..."\u{1f}", "\u{fffe}", "\u{ffff}": bytes += Array("\u{fffd}".utf8)
      default: bytes += Array(String(scalar).utf8)
      }
    }
  }
}
