internal import Coding
internal import HTTPServer
internal import ObjectStorage
internal import StorageService

/// Downloads.
extension StorageHandler {
  /// How often another generation may come in between.
  private static let attempts = 8

  /// - Returns: `nil` when the answer was sent.
  func download(_ call: StorageCall) async throws(StorageError) -> StorageAnswer? {
    let name = try call.objectName()
    for _ in 0..<Self.attempts {
      let object = try operations.readObject(name)
      let conditions = DownloadConditions(call.fields, object)
      switch conditions.outcome {
      case .proceed: break
      case .notModified: return StorageAnswer(status: 304).adding("ETag", "\"\(object.etag)\"")
      case .failed:
        throw StorageError(.failedPrecondition, "At least one of the pre-conditions did not hold.")
      }
      var answer = StorageAnswer(status: 200)
      answer.fields = object.downloadFields
      var range = 0..<object.size
      switch ByteRange(conditions.range, size: object.size) {
      case .whole: break
      case .part(let part):
        range = part
        answer.status = 206
        answer.fields.append(
          ("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(object.size)"))
      case .unsatisfiable:
        return StorageAnswer(status: 416).adding("Content-Range", "bytes */\(object.size)")
      }
      if call.request.method == "HEAD" {
        return await send(answer, range, nil, call.exchange)
      }
      let first = Int(min(Int64(BlobContent.pieceSize), range.upperBound - range.lowerBound))
      let content = try await operations.openObject(object, at: range.lowerBound, count: first)
      if let content { return await send(answer, range, content, call.exchange) }
    }
    throw StorageError(.internalError, "the bytes of an object are missing")
  }

  /// Sends the bytes, reading a piece while the one before is sent. On any error the connection ends, so that nobody takes what came
  /// for the whole.
  private func send(
    _ answer: StorageAnswer, _ range: Range<Int64>, _ content: BlobContent?,
    _ exchange: HTTPExchange
  ) async -> StorageAnswer? {
    do {
      var head = answer.head(exchange.request.version)
      let count = range.upperBound - range.lowerBound
      if let content, count <= BlobContent.pieceSize {
        let bytes = try await content.read(Int(count), at: range.lowerBound)
        guard bytes.count == count else { return nil }
        try await exchange.response.respond(head, body: bytes)
        return nil
      }
      head.fields.append("content-length", String(count))
      try await exchange.response.send(head)
      if let content { try await send(content, range, exchange.response) }
      try await exchange.response.finish(HTTPFields())
    } catch {}
    return nil
  }

  private func send(
    _ content: BlobContent, _ range: Range<Int64>, _ response: any HTTPResponseWriter
  ) async throws {
    var offset = range.lowerBound
    var piece = try await content.read(Self.pieceSize(offset, range), at: offset)
    while !piece.isEmpty {
      let sent = piece
      offset += Int64(sent.count)
      let next = offset
      async let coming = content.read(Self.pieceSize(next, range), at: next)
      try await response.write(sent)
      piece = try await coming
    }
  }

  private static func pieceSize(_ offset: Int64, _ range: Range<Int64>) -> Int {
    Int(min(Int64(BlobContent.pieceSize), range.upperBound - offset))
  }
}

extension Object {
  /// What a download says about the object.
  fileprivate var downloadFields: [(name: String, value: String)] {
    var fields = [
      ("Content-Type", (attributes.contentType ?? "application/octet-stream").fieldValue),
      ("Content-Disposition", disposition),
      ("Cache-Control", (attributes.cacheControl ?? "private, max-age=0").fieldValue),
      ("ETag", "\"\(etag)\""), ("Last-Modified", HTTPDate.format(updated / 1_000_000)),
      ("Accept-Ranges", "bytes"), ("X-Goog-Hash", "crc32c=\(crc32cText),md5=\(md5Text)"),
      ("X-Goog-Generation", String(generation)),
      ("X-Goog-Metageneration", String(metageneration)),
      ("X-Goog-MetadataGeneration", String(metageneration)),
      ("X-Goog-Storage-Class", "STANDARD"), ("X-Goog-Stored-Content-Length", String(size)),
      ("X-Goog-Stored-Content-Encoding", (attributes.contentEncoding ?? "identity").fieldValue),
    ]
    if let encoding = attributes.contentEncoding, encoding != "identity", !encoding.isEmpty {
      fields.append(("Content-Encoding", encoding.fieldValue))
    }
    if let language = attributes.contentLanguage {
      fields.append(("Content-Language", language.fieldValue))
    }
    return fields
  }

  /// The disposition with a file name, which is the last segment unless one was given.
  private var disposition: String {
    let stored = attributes.contentDisposition ?? "attachment"
    if stored.lowercased().contains("filename") { return stored.fieldValue }
    let last = name.name.string.utf8.split(separator: UInt8(ascii: "/")).last ?? []
    let text = String(decoding: Array(last), as: UTF8.self)
    return "\(stored.fieldValue); filename*=utf-8''\(PercentCoding.encode(text))"
  }
}
