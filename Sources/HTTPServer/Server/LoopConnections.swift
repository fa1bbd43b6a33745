internal import NetIO

/// The connections of a server that live on one loop. Confined to it.
final class LoopConnections {
  let limits: HTTPLimits
  let handler: any HTTPHandler
  let load: ServerLoad
  let date = DateCache()
  private let loop: EventLoop
  private var connections: [ObjectIdentifier: ServerConnection] = [:]
  private var sweep: LoopTimer?
  private var isDraining = false

  init(_ loop: EventLoop, limits: HTTPLimits, handler: any HTTPHandler, load: ServerLoad) {
    self.loop = loop
    self.limits = limits
    self.handler = handler
    self.load = load
  }

  /// Serves a connection that was just accepted.
  func add(_ connection: TCPConnection) {
    load.began()
    let served = ServerConnection(connection, in: self)
    connections[ObjectIdentifier(served)] = served
    if isDraining { served.beginDraining() }
    if sweep == nil {
      sweep = loop.schedule(every: .seconds(1)) { [unowned self] in
        let now = self.loop.now
        for connection in self.connections.values { connection.tick(now: now) }
      }
    }
  }

  /// A connection is closed.
  func remove(_ connection: ServerConnection) {
    connections[ObjectIdentifier(connection)] = nil
    load.ended()
    if connections.isEmpty {
      sweep?.cancel()
      sweep = nil
    }
  }

  func beginDraining() {
    guard !isDraining else { return }
    isDraining = true
    for connection in connections.values { connection.beginDraining() }
  }

  /// Closes all connections at once.
  func abort() {
    for connection in connections.values { connection.abort() }
  }
}
