/// A request and its answer for code that runs in the lane of their connection and waits for nothing. Most connections with a long
/// answer are at rest for most of their time: so they need no task meanwhile.
///
/// All calls but `lane` are made in the lane, none while the handler is in a call of the body or of the writer.
package protocol HTTPDirectExchange: Sendable {
  /// Where the exchange can be used.
  var lane: HTTPLane { get }
  /// Sends a piece of the body at once, if there is room for it.
  ///
  /// - Returns: whether it was sent.
  func offer(_ bytes: [UInt8]) -> Bool
  /// Lets the handler return with an answer that has begun. From then on `arrived` is called when there is something to take.
  func detach(_ arrived: @escaping @Sendable () -> Void)
  /// Takes what has come of the body.
  func take() -> HTTPArrival
  /// Ends an answer that has begun; harmless when it is over.
  func end(_ trailers: HTTPFields)
  /// Runs `body` as a task of the connection, at once up to its first suspension.
  func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never>
}

/// What has come of a body.
package enum HTTPArrival: Sendable {
  case bytes([UInt8])
  case end
  /// The peer is gone.
  case lost
  case nothing
}
