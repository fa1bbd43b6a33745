internal import Coding
internal import HTTPServer
internal import ObjectStorage

/// A whole answer. Names of fields are in the case that production has, which some clients look for.
struct StorageAnswer {
  var status: Int
  var fields: [(name: String, value: String)] = []
  var body: [UInt8] = []

  static let noContent = StorageAnswer(status: 204)

  init(status: Int) {
    self.status = status
  }

  init(status: Int = 200, json write: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    write(&writer)
    self.status = status
    fields = [("Content-Type", "application/json; charset=utf-8")]
    body = writer.bytes
  }

  init(_ object: Object) {
    self.init { $0.write(object) }
  }

  init(_ error: StorageError) {
    let (status, message) = (error.code.httpStatus, error.publicMessage)
    self.init(status: status) { writer in
      writer.beginObject()
      writer.writeKey("error")
      writer.beginObject()
      writer.writeKey("code")
      writer.writeInt32(Int32(status))
      writer.writeKey("message")
      writer.writeString(message)
      writer.endObject()
      writer.endObject()
    }
  }

  /// The same with one more field.
  func adding(_ name: String, _ value: String) -> StorageAnswer {
    var answer = self
    answer.fields.append((name, value))
    return answer
  }

  /// Sends it. What is left of the body is read first, so that the peer comes to read the answer, unless it waits to be told to send
  /// it. An error here means that the peer is gone: nobody is left to tell.
  func send(to exchange: HTTPExchange) async {
    if status >= 400, !exchange.request.fields.contains("expect") {
      do {
        while try await exchange.body.next() != nil {}
      } catch {}
    }
    try? await exchange.response.respond(head(exchange.request.version), body: body)
  }

  /// The head as a version of HTTP has it: HTTP/2 knows no capitals.
  func head(_ version: HTTPVersion) -> HTTPResponseHead {
    var head = HTTPResponseHead(status: status)
    for (name, value) in fields {
      switch version {
      case .http1_0, .http1_1: head.fields.append(name, value)
      case .http2: head.fields.append(name.lowercased(), value)
      }
    }
    return head
  }
}

extension StorageError {
  /// What clients are told; what is our fault is for the log.
  var publicMessage: String {
    code == .internalError ? "Internal Server Error" : message
  }
}

extension StorageError.Code {
  /// SDKs try again for minutes after any 5xx, so only what may pass gets one.
  var httpStatus: Int {
    switch self {
    case .invalidArgument, .interrupted: 400
    case .full: 402
    case .permissionDenied, .retained: 403
    case .notFound: 404
    case .conflict: 409
    case .failedPrecondition: 412
    case .internalError: 500
    case .notImplemented: 501
    }
  }
}
