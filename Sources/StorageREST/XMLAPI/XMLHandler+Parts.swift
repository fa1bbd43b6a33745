internal import Coding
internal import HTTPServer
internal import ObjectStorage
internal import StorageService

/// Uploads in numbered parts.
extension XMLHandler {
  private static let partsNamespace = "http://s3.amazonaws.com/doc/2006-03-01/"
  private static let maximumListSize = 1 << 20

  /// Whether a request is about such an upload.
  static func isAboutParts(_ call: StorageCall) -> Bool {
    call.pathName != nil
      && (call.parameter("uploadId") != nil
        || call.request.method == "POST" && call.parameter("uploads") != nil)
  }

  func answerParts(_ call: StorageCall) async throws(XMLError) -> StorageAnswer {
    do throws(StorageError) {
      guard let id = call.parameter("uploadId") else { return try await beginParts(call) }
      switch call.request.method {
      case "PUT": return try await putPart(call, of: id)
      case "GET": return try listParts(call, of: id)
      case "DELETE":
        try await operations.abortParts(of: id)
        return .noContent
      case "POST":
        let text = try await call.exchange.body.collect(xml: Self.maximumListSize)
        let here = try operations.listParts(of: id)
        switch PartList(text).chosen(from: here) {
        case .success(let parts): return try await complete(call, parts, of: id)
        case .failure(let error): throw error
        }
      default: throw StorageError(.invalidArgument, "There is no \(call.request.method) here.")
      }
    } catch {
      failed(call.request, error)
      throw XMLError(parts: error, call)
    }
  }

  private func beginParts(_ call: StorageCall) async throws(StorageError) -> StorageAnswer {
    let name = try call.objectName()
    try await operations.ensureUploadBucket(call.bucket)
    var changes = call.fields.xmlChanges
    try call.complete(&changes, in: try operations.getBucket(call.bucket))
    let id = try await operations.startInsertion(
      UploadDescription(name: name, changes: changes), announcedSize: nil)
    var writer = XMLWriter()
    writer.element("InitiateMultipartUploadResult", namespace: Self.partsNamespace) { writer in
      writer.element("Bucket", name.bucket.string)
      writer.element("Key", name.name.string)
      writer.element("UploadId", id)
    }
    return StorageAnswer(xml: writer)
  }

  private func putPart(
    _ call: StorageCall, of id: String
  ) async throws(StorageError) -> StorageAnswer {
    var expected = call.checksums
    if let md5 = call.fields.first("content-md5") { expected.md5 = md5 }
    let number = try call.number("partNumber") ?? 0
    let part = try await operations.putPart(
      Int(clamping: number), of: id, expected: expected,
      from: RequestBytes(body: call.exchange.body))
    let object = part.object(try call.objectName())
    return StorageAnswer(status: 200).adding("ETag", object.xmlETag)
      .adding("X-Goog-Hash", object.hashes)
  }

  private func listParts(
    _ call: StorageCall, of id: String
  ) throws(StorageError) -> StorageAnswer {
    let (name, parts) = (try call.objectName(), try operations.listParts(of: id))
    var writer = XMLWriter()
    writer.element("ListPartsResult", namespace: Self.partsNamespace) { writer in
      writer.element("Bucket", name.bucket.string)
      writer.element("Key", name.name.string)
      writer.element("UploadId", id)
      writer.element("IsTruncated", "false")
      for part in parts {
        writer.element("Part") { writer in
          writer.element("PartNumber", String(part.number))
          writer.element("ETag", part.object(name).xmlETag)
          writer.element("Size", String(part.size))
        }
      }
    }
    return StorageAnswer(xml: writer)
  }

  private func complete(
    _ call: StorageCall, _ parts: [UploadPart], of id: String
  ) async throws(StorageError) -> StorageAnswer {
    let object = try await operations.completeParts(parts, of: id)
    let (bucket, name) = (object.name.bucket.string, object.name.name.string)
    var writer = XMLWriter()
    writer.element("CompleteMultipartUploadResult", namespace: Self.partsNamespace) { writer in
      writer.element(
        "Location",
        "\(call.origin)/\(PercentCoding.encode(bucket))/\(PercentCoding.encode(name))")
      writer.element("Bucket", bucket)
      writer.element("Key", name)
      writer.element("ETag", object.xmlETag)
    }
    var answer = StorageAnswer(xml: writer)
    answer.fields += object.xmlFields
    return answer
  }
}

/// The parts that a `CompleteMultipartUpload` names.
struct PartList {
  /// Numbers, and marks without quotes if they are given.
  private var parts: [(number: Int, mark: String?)] = []

  /// Texts without parts are an empty list.
  init(_ text: String) {
    for piece in text.split(separator: "<Part>", omittingEmptySubsequences: false).dropFirst() {
      guard let number = Self.content(of: "PartNumber", in: piece).flatMap({ Int($0.trimmed) })
      else {
        parts.append((0, nil))
        continue
      }
      let mark = Self.content(of: "ETag", in: piece).map {
        String($0.replacing("&quot;", with: "").replacing("&#34;", with: "").filter { $0 != "\"" })
          .trimmed
      }
      parts.append((number, mark))
    }
  }

  private static func content(of element: String, in text: Substring) -> Substring? {
    guard let start = text.firstRange(of: "<\(element)>"),
      let end = text[start.upperBound...].firstRange(of: "</\(element)>")
    else { return nil }
    return text[start.upperBound..<end.lowerBound]
  }

  /// The parts that are meant; they have to be here, and in the order of their numbers.
  func chosen(from here: [UploadPart]) -> Result<[UploadPart], StorageError> {
    guard !parts.isEmpty else { return .failure(.malformedXML) }
    let here = Dictionary(here.map { ($0.number, $0) }) { $1 }
    var chosen: [UploadPart] = []
    for (number, mark) in parts {
      guard number > chosen.last?.number ?? 0 else { return .failure(.invalidPartOrder) }
      guard let part = here[number],
        mark.map({ $0 == Hexadecimal.encode(part.md5) }) ?? true
      else { return .failure(.invalidPart) }
      chosen.append(part)
    }
    return .success(chosen)
  }
}

extension StorageError {
  fileprivate static let malformedXML = StorageError(.invalidArgument, "MalformedXML")
  fileprivate static let invalidPart = StorageError(.invalidArgument, "InvalidPart")
  fileprivate static let invalidPartOrder = StorageError(.invalidArgument, "InvalidPartOrder")
}

extension XMLError {
  fileprivate init(parts error: StorageError, _ call: StorageCall) {
    switch error {
    case .malformedXML:
      self.init(400, error.message, "The XML you provided was not well-formed or did not validate.")
    case .invalidPart:
      self.init(400, error.message, "One or more of the specified parts could not be found.")
    case .invalidPartOrder:
      self.init(400, error.message, "The list of parts was not in ascending order.")
    case .noUpload:
      self.init(404, "NoSuchUpload", "The requested upload was not found.")
    default: self.init(error, call)
    }
  }
}

extension HTTPRequestBody {
  /// The whole body as text.
  fileprivate func collect(xml limit: Int) async throws(StorageError) -> String {
    do throws(HTTPStreamError) {
      return String(decoding: try await collect(upTo: limit), as: UTF8.self)
    } catch {
      throw StorageError(.interrupted, "The list of parts is too long or did not arrive whole.")
    }
  }
}
