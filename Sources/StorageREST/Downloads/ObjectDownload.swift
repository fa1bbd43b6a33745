internal import Coding
internal import HTTPServer
internal import ObjectStorage
internal import StorageService

/// The answer to a request for the bytes of an object.
struct ObjectDownload {
  /// Which API the request came through: Firebase's always gives a file name.
  enum Style {
    case firebase
    case cloudStorage
    case xml
  }

  /// How often another generation may come in between.
  private static let attempts = 8
  /// What is given to a lent socket at a time.
  private static let loanSize: Int64 = 2 << 20
  /// What is put behind a full one: when it has taken these, it can be lent again.
  private static let overhang = 32 << 10

  let operations: StorageOperations
  let call: StorageCall
  let style: Style

  /// - Returns: `nil` when the answer was sent.
  func send(_ name: ObjectName) async throws(StorageError) -> StorageAnswer? {
    for _ in 0..<Self.attempts {
      let object = try self.object(name)
      try CustomerKey.check(try CustomerKey(call), for: object)
      let etag = etag(of: object)
      if let answer = try call.precluded(object, etag: etag) { return answer }
      let conditions = DownloadConditions(call.fields, object, etag: etag)
      if object.isToBeDecompressed(for: call.fields) {
        switch try await sendDecompressed(object) {
        case .sent: return nil
        case .noGzip: break
        case .gone: continue
        }
      }
      var answer = StorageAnswer(status: 200)
      answer.fields = fields(of: object)
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

  private func object(_ name: ObjectName) throws(StorageError) -> Object {
    switch style {
    case .firebase: try operations.readObject(name, by: call.requester)
    case .cloudStorage, .xml: try operations.find(call.source(name))
    }
  }

  private func etag(of object: Object) -> String {
    switch style {
    case .firebase: "\"\(object.etag)\""
    case .cloudStorage: object.etag
    case .xml: object.xmlETag
    }
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
    while offset < range.upperBound {
      let (start, count) = (offset, Int(min(Self.loanSize, range.upperBound - offset)))
      let sent = try await response.lendSocket { socket in
        try await content.copy(count, at: start, to: socket, overhang: Self.overhang)
      }
      guard let sent else {
        return try await sendPieces(content, offset..<range.upperBound, response)
      }
      // A file that is shorter than it was said to be.
      guard sent > 0 else { return }
      offset += Int64(sent)
    }
  }

  private func sendPieces(
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

extension ObjectDownload {
  /// What a download of the stored bytes says about the object.
  func fields(of object: Object) -> [(name: String, value: String)] {
    let attributes = object.attributes
    var fields = [
      ("Content-Type", (attributes.contentType ?? "application/octet-stream").fieldValue),
      ("Cache-Control", (attributes.cacheControl ?? "private, max-age=0").fieldValue),
      ("ETag", etag(of: object)),
      ("Last-Modified", HTTPDate.format(object.updated / 1_000_000)),
      ("Accept-Ranges", "bytes"), ("X-Goog-Hash", object.hashes),
      ("X-Goog-Generation", String(object.generation)),
      ("X-Goog-Metageneration", String(object.metageneration)),
      ("X-Goog-MetadataGeneration", String(object.metageneration)),
      ("X-Goog-Storage-Class", (attributes.storageClass ?? "STANDARD").fieldValue),
      ("X-Goog-Stored-Content-Length", String(object.size)),
      ("X-Goog-Stored-Content-Encoding", (attributes.contentEncoding ?? "identity").fieldValue),
    ]
    if let encoding = attributes.contentEncoding, encoding != "identity", !encoding.isEmpty {
      fields.append(("Content-Encoding", encoding.fieldValue))
    }
    if attributes.contentEncoding == "gzip" { fields.append(("Vary", "Accept-Encoding")) }
    if let language = attributes.contentLanguage {
      fields.append(("Content-Language", language.fieldValue))
    }
    switch style {
    case .firebase: fields.append(("Content-Disposition", object.disposition))
    case .cloudStorage, .xml:
      let disposition = call.parameter("response-content-disposition")
      if let disposition = disposition ?? attributes.contentDisposition {
        fields.append(("Content-Disposition", disposition.fieldValue))
      }
      if let type = call.parameter("response-content-type") {
        fields[0].1 = type.fieldValue
      }
      for (key, value) in attributes.sortedCustom where key.utf8.allSatisfy(isTokenByte) {
        fields.append(("X-Goog-Meta-\(key)", value.fieldValue))
      }
    }
    return fields
  }

  /// Whether a name of a field may have this byte.
  private func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
    default: Array("!#$%&'*+-.^_`|~".utf8).contains(byte)
    }
  }
}

extension Object {
  /// The disposition with a file name, which is the last segment unless one was given.
  fileprivate var disposition: String {
    let stored = attributes.contentDisposition ?? "attachment"
    if stored.lowercased().contains("filename") { return stored.fieldValue }
    let last = name.name.string.utf8.split(separator: UInt8(ascii: "/")).last ?? []
    let text = String(decoding: Array(last), as: UTF8.self)
    return "\(stored.fieldValue); filename*=utf-8''\(PercentCoding.encode(text))"
  }
}
