internal import HTTPServer

/// Writes the answer to one request of a channel. Errors of it mean that the client is gone: nobody is left to tell.
struct ChannelAnswer {
  private let response: any HTTPResponseWriter

  init(_ response: any HTTPResponseWriter) {
    self.response = response
  }

  /// A whole answer; `session` is told in a handshake.
  func send(_ body: [UInt8], session: String? = nil) async {
    var head = Self.head(200)
    if let session { head.fields.append("x-http-session-id", session) }
    try? await response.respond(head, body: body)
  }

  /// An answer that is written while it comes about.
  func stream(
    _ body: (([UInt8]) async throws(HTTPStreamError) -> Void) async throws(HTTPStreamError) -> Void
  ) async {
    do throws(HTTPStreamError) {
      try await response.send(Self.head(200))
      try await body(response.write)
      try await response.finish(HTTPFields())
    } catch {
      return
    }
  }

  /// A refusal. What clients look for in the text must not be at its beginning.
  func refuse(_ status: Int, _ error: ChannelError) async {
    let text = "Error: \(error.text)"
    try? await response.respond(Self.head(status), body: Array(text.utf8))
  }

  /// Without `nosniff` browsers hold the first kilobyte of a text back.
  private static func head(_ status: Int) -> HTTPResponseHead {
    HTTPResponseHead(
      status: status,
      fields: HTTPFields([
        ("content-type", "text/plain; charset=utf-8"), ("x-content-type-options", "nosniff"),
        ("cache-control", "no-cache, no-store"), ("vary", "Origin"),
      ]))
  }
}
