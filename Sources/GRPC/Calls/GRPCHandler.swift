package import HTTPServer

/// Answers the calls of gRPC services.
package struct GRPCHandler: HTTPHandler {
  /// What a message may have by default: the SDKs accept and send up to 17 MiB.
  package static let defaultMessageLimit = 17 << 20

  private let methods: [String: GRPCMethod]
  private let messageLimit: Int
  private let failed: @Sendable (HTTPRequestHead, GRPCStatus) -> Void

  /// `failed` is told of each call that does not end well, with the status that its caller gets.
  package init(
    _ services: [GRPCService], messageLimit: Int = Self.defaultMessageLimit,
    failed: @escaping @Sendable (HTTPRequestHead, GRPCStatus) -> Void = { _, _ in }
  ) {
    var methods: [String: GRPCMethod] = [:]
    for service in services {
      for (name, method) in service.methods { methods["/\(service.name)/\(name)"] = method }
    }
    self.methods = methods
    self.messageLimit = messageLimit
    self.failed = failed
  }

  /// Whether a request means gRPC: by its content type.
  package static func isCall(_ request: HTTPRequestHead) -> Bool {
    guard let text = request.fields.first("content-type") else { return false }
    if text == "application/grpc" { return true }
    let type = text.utf8
    let prefix = "application/grpc".utf8
    guard type.starts(with: prefix) else { return false }
    switch type.dropFirst(prefix.count).first {
    case nil, UInt8(ascii: "+"), UInt8(ascii: ";"): return true
    default: return false
    }
  }

  package func handle(_ exchange: HTTPExchange) async {
    if let refusal = Self.refusal(of: exchange.request) {
      // An error here means that the peer is gone: nobody is left to tell.
      try? await exchange.response.respond(refusal, body: [])
      return
    }
    let call = GRPCCall(exchange, messageLimit: messageLimit)
    // As above: the answer is the last thing that is done for the call.
    try? await run(call, exchange)
  }

  /// The plain HTTP answer to a request that is not a call.
  private static func refusal(of request: HTTPRequestHead) -> HTTPResponseHead? {
    guard request.method == "POST" else {
      return HTTPResponseHead(status: 405, fields: HTTPFields([("allow", "POST")]))
    }
    return isCall(request) ? nil : HTTPResponseHead(status: 415)
  }

  private func run(_ call: GRPCCall, _ exchange: HTTPExchange) async throws(GRPCStatus) {
    guard let method = methods[exchange.request.target] else {
      return try await refuse(
        call, exchange, GRPCStatus(.unimplemented, "Method not found: \(call.method)"))
    }
    guard call.encoding != nil else {
      let encoding = call.metadata.first("grpc-encoding") ?? ""
      return try await refuse(
        call, exchange, GRPCStatus(.unimplemented, "Compression is not supported: \(encoding)"))
    }
    let deadline: Duration?
    do {
      deadline = try Self.deadline(of: call)
    } catch {
      return try await refuse(call, exchange, error)
    }
    if let deadline { exchange.response.setDeadline(after: deadline) }
    switch method {
    case .unary(let body):
      let answer: [UInt8]
      do {
        answer = try await body(call, try await call.onlyMessage())
      } catch {
        return try await refuse(call, exchange, Self.final(error, hasDeadline: deadline != nil))
      }
      try await call.answer(answer)
    case .serverStreaming(let body):
      try await stream(call, exchange, hasDeadline: deadline != nil) { (call) throws(GRPCStatus) in
        try await body(call, try await call.onlyMessage())
      }
    case .bidirectional(let body):
      call.watchFailure { [failed, request = exchange.request] in failed(request, $0) }
      try await stream(call, exchange, hasDeadline: deadline != nil, body)
    }
  }

  private func refuse(
    _ call: GRPCCall, _ exchange: HTTPExchange, _ status: GRPCStatus
  ) async throws(GRPCStatus) {
    failed(exchange.request, status)
    try await call.refuse(status)
  }

  /// A failure of a stream comes after a head, even before the first message: SDKs take one in a single block for
  /// a lost connection and try again for seconds.
  private func stream(
    _ call: GRPCCall, _ exchange: HTTPExchange, hasDeadline: Bool,
    _ body: (GRPCCall) async throws(GRPCStatus) -> Void
  ) async throws(GRPCStatus) {
    var status = GRPCStatus(.ok)
    do {
      try await body(call)
    } catch {
      status = Self.final(error, hasDeadline: hasDeadline)
    }
    if call.isDetached { return }
    if status.code != .ok { failed(exchange.request, status) }
    try await call.sendHead()
    try await call.finish(status)
  }

  /// The status to send for `error`: work that was cancelled although the caller is there has hit its deadline.
  private static func final(_ error: GRPCStatus, hasDeadline: Bool) -> GRPCStatus {
    hasDeadline && Task.isCancelled ? GRPCStatus(.deadlineExceeded, "Deadline exceeded") : error
  }

  private static func deadline(of call: GRPCCall) throws(GRPCStatus) -> Duration? {
    guard let text = call.metadata.first("grpc-timeout") else { return nil }
    guard let timeout = GRPCTimeout.parse(text) else {
      throw GRPCStatus(.internalError, "Invalid grpc-timeout: \(text)")
    }
    if timeout == .zero { throw GRPCStatus(.deadlineExceeded, "Deadline exceeded") }
    return timeout
  }
}
