/// The body of a request, read at the pace of the handler.
package protocol HTTPRequestBody: Sendable {
  /// The next bytes, never empty; `nil` after the last. The peer is held back while nobody asks.
  func next() async throws(HTTPStreamError) -> [UInt8]?
}

/// Where the answer to one request goes. Calls are made one at a time, from the task of the handler.
///
/// Every call waits until the peer can take more: that is the back-pressure. A handler that returns without
/// having finished its answer resets the stream or closes the connection.
package protocol HTTPResponseWriter: Sendable {
  /// Sends status and fields; the body follows in pieces.
  func send(_ head: HTTPResponseHead) async throws(HTTPStreamError)
  /// Sends a piece of the body, flushed at once.
  func write(_ bytes: [UInt8]) async throws(HTTPStreamError)
  /// Lends the socket for bytes of the body that need not go through the memory of the process. `body` gets its descriptor, which
  /// does not block, writes to it, and gives back how many bytes it took, and some more to send behind them if it was full; only
  /// for an answer with a `content-length`.
  ///
  /// - Returns: how many bytes that are together; `nil`, with `body` not called, if there is no socket to lend.
  func lendSocket(
    _ body: @Sendable (Int32) async throws -> (sent: Int, rest: [UInt8])
  ) async throws -> Int?
  /// Ends the answer, with trailers if they are not empty.
  func finish(_ trailers: HTTPFields) async throws(HTTPStreamError)
  /// Sends a whole answer at once; `trailers` go out in HTTP/2 and in chunked HTTP/1.1 only if not empty.
  func respond(
    _ head: HTTPResponseHead, body: [UInt8], trailers: HTTPFields
  ) async throws(HTTPStreamError)
  /// Cancels the task of the handler when `duration` has passed and the answer is not finished. The handler
  /// can still answer then. At most one deadline per request; only HTTP/2 has them.
  func setDeadline(after duration: Duration)
}

/// One request with the way back. HEAD is handled like GET: the connection drops the body.
///
/// A reference, since it goes through the hands of many handlers.
package final class HTTPExchange: Sendable {
  package let request: HTTPRequestHead
  package let body: any HTTPRequestBody
  package let response: any HTTPResponseWriter
  /// Both ends for code that waits for nothing; `nil` where there is no such way.
  package let direct: (any HTTPDirectExchange)?

  package init(
    request: HTTPRequestHead, body: any HTTPRequestBody, response: any HTTPResponseWriter,
    direct: (any HTTPDirectExchange)? = nil
  ) {
    self.request = request
    self.body = body
    self.response = response
    self.direct = direct
  }

  /// The same with other parts.
  package func with(
    request: HTTPRequestHead? = nil, body: (any HTTPRequestBody)? = nil,
    response: (any HTTPResponseWriter)? = nil
  ) -> HTTPExchange {
    HTTPExchange(
      request: request ?? self.request, body: body ?? self.body,
      response: response ?? self.response, direct: direct)
  }
}

/// What answers requests. Runs on the loop of the connection and is cancelled when the peer goes away.
package protocol HTTPHandler: Sendable {
  func handle(_ exchange: HTTPExchange) async
}

extension HTTPRequestBody {
  /// The whole body, at most `limit` bytes.
  ///
  /// - Throws: `.tooLarge` as soon as the limit is passed.
  package func collect(upTo limit: Int) async throws(HTTPStreamError) -> [UInt8] {
    guard var bytes = try await next() else { return [] }
    while bytes.count <= limit {
      guard let more = try await next() else { return bytes }
      bytes += more
    }
    throw HTTPStreamError(.tooLarge)
  }
}

extension HTTPResponseWriter {
  package func setDeadline(after duration: Duration) {}

  package func lendSocket(
    _ body: @Sendable (Int32) async throws -> (sent: Int, rest: [UInt8])
  ) async throws -> Int? { nil }

  package func respond(
    _ head: HTTPResponseHead, body: [UInt8]
  ) async throws(HTTPStreamError) {
    try await respond(head, body: body, trailers: HTTPFields())
  }
}
