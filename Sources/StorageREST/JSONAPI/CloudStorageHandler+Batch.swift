internal import HTTPServer
internal import ObjectStorage
internal import Synchronization

/// Several calls in one request, `multipart/mixed` of `application/http`, each answered by itself.
extension CloudStorageHandler {
  private static let maximumCalls = 1000
  private static let maximumCallSize = 2 << 20
  private static let boundary = "batch_hibachi"

  func answerBatch(_ exchange: HTTPExchange) async throws(StorageError) -> StorageAnswer {
    let type = exchange.request.fields.first("content-type") ?? ""
    guard exchange.request.method == "POST",
      let boundary = MultipartReader<RequestBytes>.boundary(of: type, kind: "multipart/mixed")
    else { throw StorageError(.invalidArgument, "Failed to parse batch request.") }
    var reader = MultipartReader(RequestBytes(body: exchange.body), boundary: boundary)
    var text: [UInt8] = []
    var count = 0
    while let head = try await reader.nextPart() {
      var call: [UInt8] = []
      while let piece = try await reader.nextPiece() {
        call += piece
        guard call.count <= Self.maximumCallSize else {
          throw StorageError(.invalidArgument, "A call of the batch is too long.")
        }
      }
      count += 1
      guard count <= Self.maximumCalls else {
        throw StorageError(.invalidArgument, "The batch has more than \(Self.maximumCalls) calls.")
      }
      let answer = await answer(call, of: exchange)
      text += Self.part(answer, id: head.id)
    }
    guard count > 0 else { throw StorageError(.invalidArgument, "Failed to parse batch request.") }
    var answer = StorageAnswer(status: 200)
    answer.fields = [("Content-Type", "multipart/mixed; boundary=\(Self.boundary)")]
    answer.body = text + Array("--\(Self.boundary)--\r\n".utf8)
    return answer
  }

  private static func part(_ answer: StorageAnswer, id: String?) -> [UInt8] {
    var lines = ["--\(boundary)", "Content-Type: application/http"]
    if let id {
      let bare = id.hasPrefix("<") && id.hasSuffix(">") ? String(id.dropFirst().dropLast()) : id
      lines.append("Content-ID: <response-\(bare.fieldValue)>")
    }
    lines += ["", "HTTP/1.1 \(answer.status) \(answer.status < 300 ? "OK" : "Error")"]
    for (name, value) in answer.fields { lines.append("\(name): \(value)") }
    lines += ["Content-Length: \(answer.body.count)", "", ""]
    return Array(lines.joined(separator: "\r\n").utf8) + answer.body + [0x0d, 0x0a]
  }

  private func answer(_ call: [UInt8], of exchange: HTTPExchange) async -> StorageAnswer {
    do throws(StorageError) {
      guard let inner = BatchedCall(call, in: exchange) else {
        throw StorageError(.invalidArgument, "Failed to parse a call of the batch.")
      }
      let target = HTTPTarget(inner.exchange.request.target)
      guard let target, let path = CloudStoragePath(target.decodedSegments), !path.isUpload,
        !path.isDownload,
        !target.query.contains(where: { $0.name == "alt" && $0.value == "media" }),
        let answer = try await self.answer(inner.exchange)
      else {
        throw StorageError(.invalidArgument, "The call cannot be made in a batch.")
      }
      return answer
    } catch {
      return note(error, exchange.request)
    }
  }
}

/// One call of a batch as a request by itself.
private struct BatchedCall {
  let exchange: HTTPExchange

  /// - Returns: `nil` for what is no request.
  init?(_ text: [UInt8], in outer: HTTPExchange) {
    var rest = text[...]
    func line() -> String? {
      guard let end = rest.firstIndex(of: 0x0a) else { return nil }
      var line = rest[..<end]
      rest = rest[(end + 1)...]
      if line.last == 0x0d { line = line.dropLast() }
      return String(decoding: line, as: UTF8.self)
    }
    guard let parts = line()?.split(separator: " "), parts.count >= 2 else { return nil }
    var fields = HTTPFields()
    while let line = line(), !line.isEmpty {
      let field = line.split(separator: ":", maxSplits: 1)
      guard field.count == 2 else { return nil }
      fields.append(String(field[0]).trimmed.lowercased(), field[1].trimmed)
    }
    let request = HTTPRequestHead(
      method: String(parts[0]), target: String(parts[1]), authority: outer.request.authority,
      version: outer.request.version, fields: fields)
    exchange = HTTPExchange(
      request: request, body: BatchedBody(Array(rest)), response: outer.response)
  }
}

/// Bytes that are there already.
private final class BatchedBody: HTTPRequestBody {
  private let bytes: Mutex<[UInt8]>

  init(_ bytes: [UInt8]) {
    self.bytes = Mutex(bytes)
  }

  func next() async throws(HTTPStreamError) -> [UInt8]? {
    bytes.withLock { bytes in
      defer { bytes = [] }
      return bytes.isEmpty ? nil : bytes
    }
  }
}
