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
  private let decoder: Mutex<GRPCMessageDecoder>
  private let isHeadSent = Atomic(false)
  /// That of the requests, which the answers then have too; `nil` for one that is unknown.
  let encoding: GRPCEncoding?

  init(_ exchange: HTTPExchange, messageLimit: Int) {
    encoding = exchange.request.fields.first("grpc-encoding").map(GRPCEncoding.init) ?? .identity
    target = exchange.request.target
    metadata = exchange.request.fields
    body = exchange.body
    response = exchange.response
    decoder = Mutex(GRPCMessageDecoder(limit: messageLimit, encoding: encoding ?? .identity))
  }

  /// The caller's next message; `nil` after the last.
  package func nextMessage() async throws(GRPCStatus) -> [UInt8]? {
    while true {
      if let message = try decoder.withLock({ (decoder) throws(GRPCStatus) in
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

  /// Where `offer` works; `nil` for a call whose messages all have to be sent.
  package var lane: HTTPLane? {
    encoding == .identity ? response.lane : nil
  }

  /// Messages as `offer` takes them.
  package static func frames(_ messages: [[UInt8]]) -> [UInt8] {
    GRPCMessageDecoder.encode(messages, .identity)
  }

  /// Sends frames at once if there is room for them and the head is sent. Only in the lane, and not during another call.
  ///
  /// - Returns: whether they were sent.
  package func offer(_ frames: [UInt8]) -> Bool {
    isHeadSent.load(ordering: .relaxed) && response.offer(frames)
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
