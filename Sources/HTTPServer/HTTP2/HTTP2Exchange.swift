internal import NetIO

/// The two ends of a stream that its handler holds.
final class HTTP2Exchange: HTTPRequestBody, HTTPResponseWriter, HTTPDirectExchange {
  let stream: LoopBound<HTTP2Stream>

  init(stream: LoopBound<HTTP2Stream>) {
    self.stream = stream
  }

  func next() async throws(HTTPStreamError) -> [UInt8]? {
    while true {
      switch await onLoop({ $0.takeBody() }) {
      case .bytes(let bytes): return bytes
      case .end: return nil
      case .failed(let error): throw error
      case .wait(let waiter):
        await waiter.wait()
        if Task.isCancelled { throw await lost() }
      }
    }
  }

  func send(_ head: HTTPResponseHead) async throws(HTTPStreamError) {
    try await complete { $0.send(head) }
  }

  func write(_ bytes: [UInt8]) async throws(HTTPStreamError) {
    try await complete { $0.write(bytes) }
  }

  func finish(_ trailers: HTTPFields) async throws(HTTPStreamError) {
    try await complete { $0.finish(trailers) }
  }

  func respond(
    _ head: HTTPResponseHead, body: [UInt8], trailers: HTTPFields
  ) async throws(HTTPStreamError) {
    try await complete { $0.respond(head, body, trailers) }
  }

  func setDeadline(after duration: Duration) {
    stream.execute { $0.setDeadline(after: duration) }
  }

  var lane: HTTPLane { HTTPLane(stream.loop) }

  func offer(_ bytes: [UInt8]) -> Bool {
    stream.withValue { $0.offer(bytes) }
  }

  func detach(_ arrived: @escaping @Sendable () -> Void) {
    stream.withValue { $0.detach(arrived) }
  }

  func take() -> HTTPArrival {
    stream.withValue { $0.take() }
  }

  func end(_ trailers: HTTPFields) {
    stream.withValue { $0.end(trailers) }
  }

  func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    stream.withValue { $0.start(body) }
  }

  /// On the loop, where handlers run, without a step of concurrency.
  @inline(__always)
  private func onLoop<Result: Sendable>(
    _ body: @escaping @Sendable (HTTP2Stream) -> Result
  ) async -> Result {
    if stream.isCurrent { return stream.withValue(body) }
    return await stream.run(body)
  }

  /// Makes a call, then waits until the peer has taken enough.
  @inline(__always)
  private func complete(
    _ call: @escaping @Sendable (HTTP2Stream) -> HTTP2Stream.WriteStep
  ) async throws(HTTPStreamError) {
    switch await onLoop(call) {
    case .done: return
    case .failed(let error): throw error
    case .wait(let waiter): try await waitForRoom(waiter)
    }
  }

  private func waitForRoom(_ first: Waiter) async throws(HTTPStreamError) {
    var waiter = first
    while true {
      await waiter.wait()
      if Task.isCancelled { throw await lost() }
      switch await onLoop({ $0.awaitRoom() }) {
      case .done: return
      case .failed(let error): throw error
      case .wait(let next): waiter = next
      }
    }
  }

  /// Why a wait of a cancelled task is over: the stream is gone, or just the task.
  private func lost() async -> HTTPStreamError {
    HTTPStreamError(await onLoop { $0.isClosed } ? .disconnected : .cancelled)
  }
}
