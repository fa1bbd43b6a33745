internal import NetIO

/// Where the answers of some connections are written: what runs there has them for itself.
package struct HTTPLane: Sendable {
  private let loop: EventLoop

  init(_ loop: EventLoop) {
    self.loop = loop
  }

  /// Whether the caller is in it.
  package var isCurrent: Bool { loop.isCurrent }

  /// Tells lanes apart.
  package var id: ObjectIdentifier { ObjectIdentifier(loop) }

  /// Runs `body` in the lane after this call returns, in the order of the calls from one thread.
  package func execute(_ body: @escaping @Sendable () -> Void) {
    loop.execute(body)
  }
}
