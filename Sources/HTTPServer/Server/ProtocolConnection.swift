/// One version of HTTP on one connection. All calls are made on the loop of the connection, none from inside a call to the transport.
///
/// It reads from the start: the first call is `received` with all bytes that came so far, those of the preface among them.
protocol ProtocolConnection: AnyObject {
  /// Bytes came; they are valid only during the call.
  func received(_ bytes: Span<UInt8>)
  /// The peer sends nothing more. Answers can still reach it, unless it is gone altogether.
  func receivedEnd()
  /// What waits to be sent fell to the low-water mark: whoever waits for room may write again.
  func drained()
  /// The server is ending: finish what is in flight, refuse what is new, then close the transport.
  func beginDraining()
  /// The connection is gone, for whatever reason: cancel all tasks and wake all waiters. The last call, made exactly once.
  func closed()
  /// About a second has passed; `now` is the time of the loop. Here connections find out that they were idle for too long.
  func tick(now: Duration)
}
