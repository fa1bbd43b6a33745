import Coding
package import HTTPServer
import Synchronization

/// One call: its metadata, the messages of the caller and the way back.
///
/// `nextMessage` is for one task at a time, and so is `send`; the two may be different tasks.
package final class GRPCCall: Sendable {
  /// `SERVICE/METHOD`.
  package var method: String { String(target.dropFirst()) }
  /// The fields of the request, gRPC's own among them.
  package let metadata: HTTPFields
  private let target: String
  private let body: any HTTPRequestBody
  private let response: any HTTPResponseWriter
  private let direct: (any HTTPDirectExchange)?
  private let decoder: Mutex<GRPCMessageDecoder>
  private let isHeadSent = Atomic(false)
  private let hasSession = Atomic(false)
  private let failed = Mutex<(@Sendable (GRPCStatus) -> Void)?>(nil)
  /// That of the requests, which the answers then have too; `nil` for one that is unknown.
  let encoding: GRPCEncoding?

  init(_ exchange: HTTPExchange, messageLimit: Int) {
    encoding = exchange.request.fields.first("grpc-encoding").map(GRPCEncoding.init) ?? .identity
    target = exchange.request.target
    metadata = exchange.request.fields
    body = exchange.body
    response = exchange.response
    direct = exchange.direct
    decoder = Mutex(GRPCMessageDecoder(limit: messageLimit, encoding: encoding ?? .identity))
  }

  /// The caller's next message; `nil` after the last.
  package func nextMessage() async throws(GRPCStatus) -> [UInt8]? {
    while true {
      if direct?.lane.isCurrent == true {
        // What is here already costs no step of concurrency.
        switch try take() {
        case .message(let message): return message
        case .end: return nil
        case .nothing: break
        }
      } else if let message = try decoder.withLock({ (decoder) throws(GRPCStatus) in
        try decoder.next()
      }) {
        return message
      }
      let bytes: [UInt8]?
      do { bytes = try await body.next() } catch { throw GRPCStatus(error) }
      guard let bytes else {
        try decoder.withLock { (decoder) throws(GRPCStatus) in try decoder.finish() }
        return nil
      }
      decoder.withLock { $0.append(bytes) }
    }
  }

  /// Sends a message, after the head of the answer if it is the first. Waits while the caller does not read.
  package func send(_ message: [UInt8]) async throws(GRPCStatus) {
    try await write(GRPCMessageDecoder.encode(message, encoding ?? .identity))
  }

  /// Sends messages, as `send` one after the other, but at once.
  package func send(_ messages: [[UInt8]]) async throws(GRPCStatus) {
    try await write(GRPCMessageDecoder.encode(messages, encoding ?? .identity))
  }

  private func write(_ bytes: [UInt8]) async throws(GRPCStatus) {
    try await sendHead()
    do { try await response.write(bytes) } catch { throw GRPCStatus(error) }
  }

  /// Sends the head of the answer before its first message, so that the caller knows that the call is alive.
  package func sendHead() async throws(GRPCStatus) {
    guard !isHeadSent.exchange(true, ordering: .relaxed) else { return }
    do { try await response.send(head) } catch { throw GRPCStatus(error) }
  }

  /// The bytes of a metadata field whose name ends in `-bin`; `nil` if it is absent or not base64.
  package func binaryMetadata(_ name: String) -> [UInt8]? {
    guard let text = metadata.first(name) else { return nil }
    var bytes: [UInt8] = []
    return Base64.decode(Array(text.utf8).span, into: &bytes) ? bytes : nil
  }

  // MARK: For the handler

  /// The one message of a caller who may send only one.
  func onlyMessage() async throws(GRPCStatus) -> [UInt8] {
    guard let message = try await nextMessage() else {
      throw GRPCStatus(.internalError, "Half-closed without a request")
    }
    guard try await nextMessage() == nil else {
      throw GRPCStatus(.internalError, "Too many requests")
    }
    return message
  }

  /// Sends the whole answer of a unary call.
  func answer(_ message: [UInt8]) async throws(GRPCStatus) {
    do {
      try await response.respond(
        head, body: GRPCMessageDecoder.encode(message, encoding ?? .identity),
        trailers: Self.success)
    } catch {
      throw GRPCStatus(error)
    }
  }

  /// Ends a call whose head is sent.
  func finish(_ status: GRPCStatus) async throws(GRPCStatus) {
    do {
      try await response.finish(status.code == .ok ? Self.success : status.fields)
    } catch {
      throw GRPCStatus(error)
    }
  }

  /// Ends a call that failed before anything was sent, in one block of fields.
  func refuse(_ status: GRPCStatus) async throws(GRPCStatus) {
    var head = Self.plainHead
    status.append(to: &head.fields)
    do {
      try await response.respond(head, body: [])
    } catch {
      throw GRPCStatus(error)
    }
  }

  private var head: HTTPResponseHead {
    switch encoding {
    case .gzip?: Self.gzipHead
    case .identity?, nil: Self.plainHead
    }
  }

  private static let plainHead = HTTPResponseHead(
    status: 200,
    fields: HTTPFields([
      ("content-type", "application/grpc"), ("grpc-accept-encoding", GRPCEncoding.accepted),
    ]))
  private static let gzipHead = HTTPResponseHead(
    status: 200,
    fields: HTTPFields(
      plainHead.fields.lines.map { ($0.name, $0.value) }
        + [("grpc-encoding", GRPCEncoding.gzip.rawValue)]))
  private static let success = GRPCStatus(.ok).fields
}

// MARK: - Without a task

extension GRPCCall {
  /// What has come from the caller.
  package enum Arrival: Sendable {
    case message([UInt8])
    case end
    case nothing
  }

  /// Where `offer` works; `nil` for a call whose messages are compressed.
  package var lane: HTTPLane? { encoding == .identity ? direct?.lane : nil }

  /// Whether the call can go on without its task: one with a deadline can't.
  package var canDetach: Bool { lane != nil && !metadata.contains("grpc-timeout") }

  /// Whether the call goes on although its method has returned.
  var isDetached: Bool { hasSession.load(ordering: .relaxed) }

  /// Lets the method return after the head was sent, without an end of the call. From then on `arrived` is called in the lane when there
  /// is something to take, and `end` ends the call.
  package func detach(_ arrived: @escaping @Sendable () -> Void) {
    hasSession.store(true, ordering: .relaxed)
    direct?.detach(arrived)
  }

  /// Takes what has come. In the lane.
  ///
  /// - Throws: what `nextMessage` throws.
  package func take() throws(GRPCStatus) -> Arrival {
    while true {
      if let message = try decoder.withLock({ (decoder) throws(GRPCStatus) in
        try decoder.next()
      }) {
        return .message(message)
      }
      switch direct?.take() ?? .lost {
      case .bytes(let bytes): decoder.withLock { $0.append(bytes) }
      case .end:
        try decoder.withLock { (decoder) throws(GRPCStatus) in try decoder.finish() }
        return .end
      case .lost: throw GRPCStatus(HTTPStreamError(.disconnected))
      case .nothing: return .nothing
      }
    }
  }

  /// Messages as `offer` takes them.
  package static func frames(_ messages: [[UInt8]]) -> [UInt8] {
    GRPCMessageDecoder.encode(messages, .identity)
  }

  /// Sends frames at once if there is room for them. In the lane, and not during a `send`.
  ///
  /// - Returns: whether they were sent.
  package func offer(_ frames: [UInt8]) -> Bool { direct?.offer(frames) ?? false }

  /// Calls `body` with the status if `end` ends the call with another one than `.ok`.
  func watchFailure(_ body: @escaping @Sendable (GRPCStatus) -> Void) {
    failed.withLock { $0 = body }
  }

  /// Ends the call; harmless when it is over. In the lane.
  package func end(_ status: GRPCStatus) {
    let failed = failed.withLock { failed in
      defer { failed = nil }
      return failed
    }
    if status.code != .ok { failed?(status) }
    direct?.end(status.code == .ok ? Self.success : status.fields)
  }

  /// Runs `body` as a task of the connection. In the lane.
  package func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never>? {
    direct?.start(body)
  }
}
