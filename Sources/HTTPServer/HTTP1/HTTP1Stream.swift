internal import NetIO

/// What handlers hold of a connection of HTTP/1: may be on any thread, the connection itself only on its loop.
final class HTTP1Handle: Sendable {
  let connection: LoopBound<HTTP1Connection>
  /// Signalled when there is more of the request's body, or none will come.
  let bodyChanged = Waiter()
  /// Signalled when more can be sent, or nothing can any more.
  let roomChanged = Waiter()

  init(_ connection: HTTP1Connection, on loop: EventLoop) {
    self.connection = LoopBound(connection, on: loop)
  }
}

/// One request of a connection, as its handler sees it: the body to read and the answer to write.
struct HTTP1Stream: HTTPRequestBody, HTTPResponseWriter {
  /// What a call to the connection comes to: whether there is room for more.
  typealias Outcome = Result<Bool, HTTPStreamError>

  private let handle: HTTP1Handle
  private let number: UInt64

  init(_ handle: HTTP1Handle, number: UInt64) {
    self.handle = handle
    self.number = number
  }

  // MARK: Request body

  func next() async throws(HTTPStreamError) -> [UInt8]? {
    while true {
      switch await handle.connection.run({ [number] in $0.nextBody(number) }) {
      case .piece(let piece): return piece
      case .end: return nil
      case .failed(let error): throw error
      case .wait:
        if Task.isCancelled { throw HTTPStreamError(.cancelled) }
        await handle.bodyChanged.wait()
      }
    }
  }

  // MARK: Answer

  func send(_ head: HTTPResponseHead) async throws(HTTPStreamError) {
    try await perform { [number] in $0.send(number, head) }
  }

  func write(_ bytes: [UInt8]) async throws(HTTPStreamError) {
    try await perform { [number] in $0.write(number, bytes) }
  }

  func finish(_ trailers: HTTPFields) async throws(HTTPStreamError) {
    try await perform { [number] in $0.finish(number, trailers) }
  }

  func respond(
    _ head: HTTPResponseHead, body: [UInt8], trailers: HTTPFields
  ) async throws(HTTPStreamError) {
    try await perform { [number] in $0.respond(number, head, body, trailers) }
  }

  func lendSocket(
    _ body: @Sendable (Int32) async throws -> (sent: Int, rest: [UInt8])
  ) async throws -> Int? {
    while true {
      switch await handle.connection.run({ [number] in $0.lendSocket(number) }) {
      case .none: return nil
      case .failed(let error): throw error
      case .wait:
        if Task.isCancelled { throw HTTPStreamError(.cancelled) }
        await handle.roomChanged.wait()
      case .socket(let loan):
        let (sent, rest) = try await body(loan.descriptor)
        try await perform { [number] in $0.noteSent(number, sent, rest) }
        return sent + rest.count
      }
    }
  }

  /// Makes a call, then waits until the peer has taken enough.
  private func perform(
    _ call: @escaping @Sendable (HTTP1Connection) -> Outcome
  ) async throws(HTTPStreamError) {
    var hasRoom = try await handle.connection.run(call).get()
    while !hasRoom {
      if Task.isCancelled { throw HTTPStreamError(.cancelled) }
      await handle.roomChanged.wait()
      hasRoom = try await handle.connection.run { [number] in $0.hasRoom(number) }.get()
    }
  }
}
