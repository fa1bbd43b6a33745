package import NetIO
internal import Synchronization

/// Serves HTTP/1.1 and HTTP/2 at one or more addresses, on all loops of a group.
///
/// `listen` first, then `run`, which is the lifetime of the server.
package final class Server: Sendable {
  private struct State {
    var listeners: [TCPListener] = []
    var isDraining = false
  }

  /// How long handlers have to return after they were cancelled.
  private static let abortTime: Duration = .seconds(1)

  private let group: EventLoopGroup
  private let limits: HTTPLimits
  private let gracePeriod: Duration
  private let load = ServerLoad()
  private let connections: [LoopBound<LoopConnections>]
  private let state = Mutex(State())

  /// The loops of `group` must live longer than the server. Requests in flight have the grace period to finish once it is ending.
  package init(
    group: EventLoopGroup, limits: HTTPLimits = HTTPLimits(),
    gracePeriod: Duration = .seconds(10), handler: any HTTPHandler
  ) {
    self.group = group
    self.limits = limits
    self.gracePeriod = gracePeriod
    connections = group.loops.map { [load] loop in
      LoopBound(
        LoopConnections(loop, limits: limits, handler: handler, load: load), on: loop)
    }
  }

  /// Where it listens, with the real ports.
  package var addresses: [SocketAddress] {
    state.withLock { $0.listeners.map(\.address) }
  }

  /// Listens at a host, which is an IP literal or `localhost`, and begins to serve. `localhost` is 127.0.0.1 and, where the machine has
  /// it, ::1 at the same port. Port 0 lets the system choose.
  ///
  /// - Returns: the addresses, with the real port.
  /// - Throws: `.unknownHost`, `.addressInUse`, `.addressNotAvailable`, `.permissionDenied`, `.outOfResources`, `.system`.
  @discardableResult
  package func listen(host: String, port: UInt16) async throws(NetIOError) -> [SocketAddress] {
    SignalWatcher.ignoreBrokenPipes()
    let wanted = try SocketAddress.resolve(host: host, port: port)
    // With port 0 the port that is free for the first address may be taken for the second.
    var attempts = port == 0 ? 16 : 1
    while true {
      attempts -= 1
      do throws(NetIOError) {
        let listeners = try await open(wanted)
        state.withLock { $0.listeners += listeners }
        if state.withLock({ $0.isDraining }) { await closeListeners() }
        return listeners.map(\.address)
      } catch {
        guard error.code == .addressInUse, attempts > 0 else { throw error }
      }
    }
  }

  /// Opens all of the addresses at one port, or none.
  private func open(_ wanted: [SocketAddress]) async throws(NetIOError) -> [TCPListener] {
    var listeners: [TCPListener] = []
    for address in wanted {
      let port = listeners.first?.address.port ?? address.port
      do throws(NetIOError) {
        listeners.append(
          try await TCPListener.listen(at: address.with(port: port), group: group) {
            [self] connection in accept(connection)
          })
      } catch {
        if error.code == .addressNotAvailable, !listeners.isEmpty { continue }
        for listener in listeners { await listener.close() }
        throw error
      }
    }
    return listeners
  }

  private func accept(_ connection: TCPConnection) {
    guard group.connectionCount <= limits.connections,
      let own = connections.first(where: { $0.loop === connection.loop })
    else { return connection.close() }
    own.withValue { $0.add(connection) }
  }

  /// Serves until `beginGracefulShutdown` was called and all requests are finished, or the grace period is over. If the task is
  /// cancelled, everything ends at once. To be called once.
  package func run() async {
    while !Task.isCancelled, !state.withLock({ $0.isDraining }) { await load.becameIdle.wait() }
    await closeListeners()
    if !Task.isCancelled {
      for own in connections { own.execute { $0.beginDraining() } }
      await waitUntilIdle(for: gracePeriod)
    }
    for own in connections { own.execute { $0.abort() } }
    // Cancelled by nobody, since the cancellation that may have brought us here must not cut it short; its time is bounded.
    await Task { await waitUntilIdle(for: Self.abortTime) }.value
  }

  /// Stops accepting and lets `run` return when the requests in flight are finished. May be called from anywhere, any number of times.
  package func beginGracefulShutdown() {
    state.withLock { $0.isDraining = true }
    load.becameIdle.signal()
  }

  private func closeListeners() async {
    let listeners = state.withLock { state in
      defer { state.listeners = [] }
      return state.listeners
    }
    for listener in listeners { await listener.close() }
  }

  private func waitUntilIdle(for duration: Duration) async {
    await withTaskGroup { [load, loop = group.loops[0]] tasks in
      // One waits for the end of the last request, one for that of the time; the first to come cancels the other.
      tasks.addTask {
        while !load.isIdle, !Task.isCancelled { await load.becameIdle.wait() }
      }
      tasks.addTask { try? await loop.sleep(for: duration) }
      await tasks.next()
      tasks.cancelAll()
    }
  }
}
