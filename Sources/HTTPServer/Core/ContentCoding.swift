internal import Compression
internal import Synchronization

/// Lets clients of `next` send bodies as gzip, and gives them answers as gzip if they ask for it.
///
/// Limits that `next` sets to a body count what it is decompressed. Answers are compressed from 1 KiB on, and any
/// that comes in pieces, each of which can be read when it arrives; only text, JSON among it.
package struct ContentCoding<Next: HTTPHandler>: HTTPHandler {
  private let next: Next

  package init(_ next: Next) {
    self.next = next
  }

  package func handle(_ exchange: HTTPExchange) async {
    var body: (any HTTPRequestBody)?
    let request = exchange.request.fields
    switch request.first("content-encoding").map({ $0.lowercased() }) {
    case nil, "", "identity": break
    case "gzip"?, "x-gzip"?:
      body = GzipRequestBody(exchange.body)
    case .some:
      var head = HTTPResponseHead(status: 415)
      head.fields.append("accept-encoding", "gzip")
      // An error here means that the peer is gone: nobody is left to tell.
      try? await exchange.response.respond(
        head, body: Array("Only gzip is taken as content-encoding.\n".utf8))
      return
    }
    let response = GzipResponseWriter(exchange.response, to: request)
    await next.handle(exchange.with(body: body, response: response))
  }
}

/// A body that came as gzip, as what it stands for.
package final class GzipRequestBody: HTTPRequestBody {
  private let compressed: any HTTPRequestBody
  private let inflater = Mutex(GzipInflater())

  package init(_ compressed: any HTTPRequestBody) {
    self.compressed = compressed
  }

  package func next() async throws(HTTPStreamError) -> [UInt8]? {
    while true {
      do throws(CompressionError) {
        if let piece = try inflater.withLock({ (inflater) throws(CompressionError) in
          try inflater.next()
        }) {
          return piece
        }
      } catch {
        throw HTTPStreamError(.malformed)
      }
      guard let bytes = try await compressed.next() else { break }
      inflater.withLock { $0.append(bytes) }
    }
    do throws(CompressionError) {
      try inflater.withLock { (inflater) throws(CompressionError) in try inflater.finish() }
      return nil
    } catch {
      throw HTTPStreamError(.malformed)
    }
  }
}

/// Compresses what is worth it.
private final class GzipResponseWriter: HTTPResponseWriter {
  private static let leastBytes = 1 << 10

  private let next: any HTTPResponseWriter
  private let request: HTTPFields
  /// There while an answer is sent in compressed pieces.
  private let deflater = Mutex<GzipDeflater?>(nil)

  init(_ next: any HTTPResponseWriter, to request: HTTPFields) {
    self.next = next
    self.request = request
  }

  func send(_ head: HTTPResponseHead) async throws(HTTPStreamError) {
    let (head, isCompressed) = decide(head)
    if isCompressed { deflater.withLock { $0 = GzipDeflater() } }
    try await next.send(head)
  }

  func write(_ bytes: [UInt8]) async throws(HTTPStreamError) {
    guard !bytes.isEmpty else { return }
    try await next.write(deflater.withLock { $0?.deflate(bytes, .flush) } ?? bytes)
  }

  func finish(_ trailers: HTTPFields) async throws(HTTPStreamError) {
    if let rest = deflater.withLock({ $0?.deflate([], .finish) }) { try await next.write(rest) }
    try await next.finish(trailers)
  }

  func respond(
    _ head: HTTPResponseHead, body: [UInt8], trailers: HTTPFields
  ) async throws(HTTPStreamError) {
    guard body.count >= Self.leastBytes else {
      return try await next.respond(head, body: body, trailers: trailers)
    }
    let (head, isCompressed) = decide(head)
    try await next.respond(
      head, body: isCompressed ? GzipDeflater.deflate(body) : body, trailers: trailers)
  }

  func setDeadline(after duration: Duration) {
    next.setDeadline(after: duration)
  }

  /// The head with the fields about its coding, and whether the body is to be compressed.
  private func decide(_ head: HTTPResponseHead) -> (HTTPResponseHead, Bool) {
    guard Self.isText(head.fields.first("content-type") ?? ""),
      !head.fields.contains("content-encoding"), !head.fields.contains("content-length"),
      head.status != 204, head.status != 206, head.status != 304
    else { return (head, false) }
    let isAllowed = AcceptedCodings.allowGzip(request.all("accept-encoding"))
    var head = head
    head.fields.append("vary", "accept-encoding")
    if isAllowed { head.fields.append("content-encoding", "gzip") }
    return (head, isAllowed)
  }

  private static func isText(_ type: String) -> Bool {
    type.hasPrefix("text/")
      || ["application/json", "application/javascript", "application/xml", "image/svg+xml"]
        .contains { type.hasPrefix($0) }
  }
}
