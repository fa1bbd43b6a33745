internal import NetIO

/// One request and its answer, on the loop of its connection.
final class HTTP2Stream {
  /// What the reader of the body gets.
  enum BodyStep {
    case bytes([UInt8])
    case end
    case failed(HTTPStreamError)
    case wait(Waiter)
  }

  /// What the writer of the answer gets.
  enum WriteStep {
    case done
    case failed(HTTPStreamError)
    case wait(Waiter)
  }

  private enum Answer {
    case none
    case begun
    case ended
  }

  let id: Int32
  private let connection: HTTP2Connection
  private let isHead: Bool
  /// The client waits for 100 before it sends the body.
  private lazy var expectsContinue = fields.first("expect") == "100-continue"
  private let fields: HTTPFields
  /// The request says that its body is short, and does not wait to be told to send it.
  private var isShort: Bool {
    guard !expectsContinue, let length = fields.first("content-length").flatMap({ Int($0) }) else {
      return false
    }
    return length <= connection.unreadBodyLimit
  }

  private var received: [UInt8] = []
  private var isRequestEnded = false
  private var answer = Answer.none
  private var outbox: HTTP2Outbox?
  private var isFramed = false
  private(set) var isClosed = false
  private var hasReturned = false
  private var task: Task<Void, Never>?
  /// Is told what comes after the handler has returned.
  private var arrived: (@Sendable () -> Void)?
  private var reader: Waiter?
  private var writer: Waiter?
  /// When the handler is to be cancelled, in the time of the loop.
  private(set) var deadline: Duration?

  init(_ id: Int32, _ request: HTTPRequestHead, _ connection: HTTP2Connection) {
    self.id = id
    self.connection = connection
    isHead = request.method == "HEAD"
    fields = request.fields
  }

  // MARK: Events of the connection

  /// The handler runs in `task`, which ends with the stream or before.
  func started(_ task: Task<Void, Never>) {
    guard !hasReturned else { return }
    self.task = task
    if isClosed { task.cancel() }
  }

  func receivedBody(_ bytes: [UInt8]) {
    if received.isEmpty { received = bytes } else { received += bytes }
    if isFramed, hasReturned { endRequest() }
    reader?.signal()
    arrived?()
  }

  func receivedEnd() {
    isRequestEnded = true
    reader?.signal()
    arrived?()
  }

  func drained() {
    writer?.signal()
  }

  /// The answer has been framed to its end.
  func framed() {
    isFramed = true
    endRequest()
  }

  /// The stream is over. Returns the bytes of the body that nobody took.
  func close() -> Int {
    isClosed = true
    outbox = nil
    cancelHandler()
    let arrived = arrived
    self.arrived = nil
    arrived?()
    return received.count
  }

  /// Cancels the handler if its time is over.
  func checkDeadline(at now: Duration) {
    guard let deadline, deadline <= now else { return }
    self.deadline = nil
    cancelHandler()
  }

  func handlerReturned() {
    hasReturned = true
    task = nil
    deadline = nil
    connection.handlerReturned()
    switch answer {
    case .begun where arrived != nil: break
    case .none, .begun: if !isClosed { connection.reset(id, .internalError) }
    case .ended: endRequest()
    }
  }

  private func cancelHandler() {
    task?.cancel()
    reader?.signal()
    writer?.signal()
  }

  /// Drops the rest of a request that was answered without it: what is short is taken in, as there are clients that count a
  /// reset before the end of their body as a failure; of the rest the peer is told not to send it.
  private func endRequest() {
    guard isFramed, hasReturned, !isRequestEnded, !isClosed else { return }
    connection.consume(id, received.count)
    received = []
    if !isShort { connection.reset(id, .noError) }
  }

  // MARK: Calls of the handler

  func takeBody() -> BodyStep {
    switch take() {
    case .bytes(let bytes): return .bytes(bytes)
    case .end: return .end
    case .lost: return .failed(HTTPStreamError(.disconnected))
    case .nothing:
      let waiter = reader ?? Waiter()
      reader = waiter
      return .wait(waiter)
    }
  }

  func take() -> HTTPArrival {
    if !received.isEmpty, !isClosed {
      let bytes = received
      received = []
      connection.consume(id, bytes.count)
      return .bytes(bytes)
    }
    if isRequestEnded { return .end }
    if isClosed { return .lost }
    if expectsContinue {
      expectsContinue = false
      connection.inform(id, status: 100)
    }
    return .nothing
  }

  func send(_ head: HTTPResponseHead) -> WriteStep {
    begin(head, HTTP2Outbox())
  }

  func write(_ bytes: [UInt8]) -> WriteStep {
    if isClosed { return .failed(HTTPStreamError(.disconnected)) }
    guard case .begun = answer else { preconditionFailure("body outside of an answer") }
    guard let outbox, !bytes.isEmpty else { return .done }
    outbox.append(bytes)
    connection.resume(id)
    return room(outbox)
  }

  /// Takes a piece of the body if there is room for it.
  func offer(_ bytes: [UInt8]) -> Bool {
    guard !isClosed, case .begun = answer, let outbox, outbox.count <= connection.outboxLimit
    else { return false }
    if !bytes.isEmpty {
      outbox.append(bytes)
      connection.resume(id)
    }
    return true
  }

  func detach(_ arrived: @escaping @Sendable () -> Void) {
    if !isClosed { self.arrived = arrived }
  }

  /// Ends an answer that has begun, if it is not over.
  func end(_ trailers: HTTPFields) {
    guard !isClosed, case .begun = answer else { return }
    _ = finish(trailers)
    arrived = nil
  }

  func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    connection.start(body)
  }

  /// Whether the writer of a piece may go on.
  func awaitRoom() -> WriteStep {
    if isClosed { return .failed(HTTPStreamError(.disconnected)) }
    return outbox.map { room($0) } ?? .done
  }

  private func room(_ outbox: HTTP2Outbox) -> WriteStep {
    let limit = connection.outboxLimit
    guard outbox.count > limit else { return .done }
    outbox.drainMark = limit / 2
    let waiter = writer ?? Waiter()
    writer = waiter
    return .wait(waiter)
  }

  func finish(_ trailers: HTTPFields) -> WriteStep {
    if isClosed { return .failed(HTTPStreamError(.disconnected)) }
    guard case .begun = answer else { preconditionFailure("end outside of an answer") }
    answer = .ended
    guard let outbox else { return .done }
    outbox.finish(trailers.lines.isEmpty ? .endOfStream : .trailers(trailers))
    connection.resume(id)
    return .done
  }

  func respond(_ head: HTTPResponseHead, _ body: [UInt8], _ trailers: HTTPFields) -> WriteStep {
    guard trailers.lines.isEmpty else {
      let step = begin(head, HTTP2Outbox(body, end: .trailers(trailers)))
      answer = .ended
      return step
    }
    var head = head
    if !body.isEmpty, head.allowsBody, !head.fields.contains("content-length") {
      head.fields.append("content-length", String(body.count))
    }
    let step = begin(head, body.isEmpty ? nil : HTTP2Outbox(body, end: .endOfStream))
    answer = .ended
    return step
  }

  private func begin(_ head: HTTPResponseHead, _ outbox: HTTP2Outbox?) -> WriteStep {
    if isClosed { return .failed(HTTPStreamError(.disconnected)) }
    guard case .none = answer else { preconditionFailure("second answer to a request") }
    answer = .begun
    self.outbox = isHead || !head.allowsBody ? nil : outbox
    connection.respond(to: id, head, self.outbox)
    return .done
  }

  func setDeadline(after duration: Duration) {
    guard !hasReturned, !isClosed else { return }
    deadline = connection.now + duration
    connection.watchDeadline(duration)
  }
}

extension HTTPResponseHead {
  /// Whether an answer of this status can have a body.
  fileprivate var allowsBody: Bool { status != 204 && status != 304 }
}
