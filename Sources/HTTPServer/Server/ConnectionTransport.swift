internal import NetIO

/// What a `ProtocolConnection` has of the connection under it. Confined to the loop.
///
/// Writing is never refused: whoever produces bytes looks at `isCongested` and waits for `drained`.
final class ConnectionTransport {
  /// How long the rest of the input is read and dropped before a closed connection is cut.
  private static let lingerTime: Duration = .seconds(2)

  let loop: EventLoop
  let limits: HTTPLimits
  let handler: any HTTPHandler
  /// The text of the `Date` field, kept by the loop.
  let date: DateCache
  /// Whether `close` or `abort` was called; input is dropped from then on.
  private(set) var isClosing = false
  private let connection: TCPConnection
  private let load: ServerLoad
  private var hasInputEnded = false
  /// What waited at the last tick, and since when it has not become less.
  private var waiting = 0
  private var stalledSince: Duration

  init(_ connection: TCPConnection, in connections: LoopConnections) {
    self.connection = connection
    limits = connections.limits
    handler = connections.handler
    date = connections.date
    load = connections.load
    loop = connection.loop
    stalledSince = connection.loop.now
  }

  /// The time of the loop; only differences mean something.
  var now: Duration { loop.now }

  /// How many bytes wait for the peer to take them.
  var outstandingBytes: Int { connection.outstandingBytes }

  /// Whether more waits to be sent than should.
  var isCongested: Bool { connection.outstandingBytes > TCPConnection.highWaterMark }

  /// Sends bytes after those sent before, at once if the system takes them.
  func write(_ bytes: Span<UInt8>) { connection.write(bytes) }

  /// Sends two pieces with one call to the system.
  func write(_ first: Span<UInt8>, _ second: Span<UInt8>) { connection.write(first, second) }

  /// Lends the socket, when nothing waits to be sent; `nil` if that is impossible.
  func lendSocket() -> SocketLoan? { isClosing ? nil : connection.lendSocket() }

  /// Holds the peer back.
  func stopReading() {
    if !isClosing { connection.stopReading() }
  }

  /// Lets the peer send again. Reading is on at the start.
  func startReading() {
    if !isClosing, !hasInputEnded { connection.startReading() }
  }

  /// Calls `body` once on the loop, not before `delay` has passed.
  func schedule(after delay: Duration, _ body: @escaping () -> Void) -> LoopTimer {
    loop.schedule(after: delay, body)
  }

  /// Runs `body` at once up to its first suspension, then on the loop. The server waits for it when it ends.
  ///
  /// The protocol connection keeps the task and cancels it when the stream or the connection ends.
  func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    load.began()
    // Cancelled by the protocol connection, which gets it.
    return Task.immediate(executorPreference: loop) { [load] in
      await body()
      load.ended()
    }
  }

  /// Sends what was written, then ends the connection. What the peer still sends is dropped for a while, since closing over
  /// unread input would destroy the last answer on its way.
  func close() {
    guard !isClosing else { return }
    isClosing = true
    waiting = 0
    stalledSince = now
    connection.finishWriting()
    if !hasInputEnded {
      connection.startReading()
    } else if connection.outstandingBytes == 0 {
      connection.close()
    }
  }

  /// Ends the connection at once; what is not sent is lost.
  func abort() {
    isClosing = true
    connection.close()
  }

  // MARK: For the server

  func inputEnded() {
    hasInputEnded = true
    if isClosing, connection.outstandingBytes == 0 { connection.close() }
  }

  func drained() {
    if isClosing, hasInputEnded, connection.outstandingBytes == 0 { connection.close() }
  }

  /// Cuts the connection if the peer takes nothing for too long, or has had time to read the end.
  func tick(now: Duration) {
    let outstanding = connection.outstandingBytes
    if outstanding == 0 ? !isClosing : outstanding < waiting { stalledSince = now }
    waiting = outstanding
    let patience = outstanding == 0 ? Self.lingerTime : limits.idleTime
    if now - stalledSince >= patience { abort() }
  }
}
