import HTTPServer
import NetIO

/// A handler made of a closure.
struct ClosureHandler: HTTPHandler {
  let body: @Sendable (HTTPExchange) async throws -> Void

  func handle(_ exchange: HTTPExchange) async {
    try? await body(exchange)
  }
}

/// Runs a server at a free port of 127.0.0.1 for the length of `body`, then ends it.
func withServer<R>(
  loops: Int = 1, limits: HTTPLimits = HTTPLimits(), grace: Duration = .seconds(10),
  handler: @escaping @Sendable (HTTPExchange) async throws -> Void,
  _ body: (Server, UInt16) async throws -> R
) async throws -> R {
  let group = try EventLoopGroup(count: loops)
  let server = Server(
    group: group, limits: limits, gracePeriod: grace, handler: ClosureHandler(body: handler))
  let port = try await server.listen(host: "127.0.0.1", port: 0)[0].port
  async let running: Void = server.run()
  let result: Result<R, any Error>
  do {
    result = .success(try await body(server, port))
  } catch {
    result = .failure(error)
  }
  server.beginGracefulShutdown()
  await running
  await group.shutdown()
  return try result.get()
}

extension HTTPResponseWriter {
  /// 200 with a text.
  func ok(_ text: String) async throws {
    try await respond(HTTPResponseHead(status: 200), body: Array(text.utf8))
  }
}
