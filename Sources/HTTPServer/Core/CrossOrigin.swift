/// Lets pages of any origin read the answers of `next`, and answers their preflights.
///
/// What is told to a browser is what the official emulator tells: nothing without an `Origin`; with one, the same
/// origin back on every answer, errors included.
package struct CrossOrigin<Next: HTTPHandler>: HTTPHandler {
  private let next: Next
  private let exposedFields: String
  private let keptSeconds: Int?

  /// `exposing` names the fields that pages may read beside those that any page may. Browsers may keep what a preflight told them
  /// for `keptSeconds`.
  package init(_ next: Next, exposing exposedFields: [String] = [], keptSeconds: Int? = nil) {
    self.next = next
    self.exposedFields = exposedFields.joined(separator: ", ")
    self.keptSeconds = keptSeconds
  }

  package func handle(_ exchange: HTTPExchange) async {
    let request = exchange.request.fields
    var fields = HTTPFields()
    if let origin = request.first("origin") {
      fields.append("access-control-allow-origin", origin)
      fields.append("access-control-allow-methods", "DELETE,GET,HEAD,PATCH,POST,PUT")
      fields.append("access-control-allow-credentials", "true")
      if !exposedFields.isEmpty {
        fields.append("access-control-expose-headers", exposedFields)
      }
      if keptSeconds != nil { fields.append("vary", "origin") }
    }
    guard exchange.request.method == "OPTIONS" else {
      guard !fields.lines.isEmpty else { return await next.handle(exchange) }
      let response = FieldAddingWriter(fields: fields, next: exchange.response)
      return await next.handle(exchange.with(response: response))
    }
    if !fields.lines.isEmpty {
      if let asked = request.first("access-control-request-headers") {
        fields.append("access-control-allow-headers", asked)
      }
      if request.first("access-control-request-private-network") == "true" {
        fields.append("access-control-allow-private-network", "true")
      }
      if let keptSeconds { fields.append("access-control-max-age", String(keptSeconds)) }
    }
    try? await exchange.response.respond(HTTPResponseHead(status: 200, fields: fields), body: [])
  }
}

/// Adds the same fields to the head of an answer, whichever way it is sent.
private struct FieldAddingWriter: HTTPResponseWriter {
  let fields: HTTPFields
  let next: any HTTPResponseWriter

  func send(_ head: HTTPResponseHead) async throws(HTTPStreamError) {
    try await next.send(adding(to: head))
  }

  func write(_ bytes: [UInt8]) async throws(HTTPStreamError) {
    try await next.write(bytes)
  }

  func lendSocket(
    _ body: @Sendable (Int32) async throws -> (sent: Int, rest: [UInt8])
  ) async throws -> Int? {
    try await next.lendSocket(body)
  }

  func finish(_ trailers: HTTPFields) async throws(HTTPStreamError) {
    try await next.finish(trailers)
  }

  func respond(
    _ head: HTTPResponseHead, body: [UInt8], trailers: HTTPFields
  ) async throws(HTTPStreamError) {
    try await next.respond(adding(to: head), body: body, trailers: trailers)
  }

  private func adding(to head: HTTPResponseHead) -> HTTPResponseHead {
    var head = head
    for line in fields.lines { head.fields.append(line.name, line.value) }
    return head
  }
}
