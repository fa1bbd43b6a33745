internal import Coding
internal import HTTPServer
internal import NetIO
internal import Synchronization

/// All sessions by their ids.
final class ChannelSessions: Sendable {
  private struct State {
    var sessions: [String: ChannelSession] = [:]
    var random: any RandomNumberGenerator & Sendable
    var isClosed = false
  }

  /// Set when there may be a first session.
  let opened = Waiter()
  private let limits: ChannelLimits
  private let state: Mutex<State>

  init(_ limits: ChannelLimits, random: any RandomNumberGenerator & Sendable) {
    self.limits = limits
    state = Mutex(State(random: random))
  }

  /// Makes a session.
  ///
  /// - Returns: `nil` if there are too many, or the server is ending.
  func open(_ service: String, _ fields: HTTPFields, now: Duration) -> ChannelSession? {
    let session = state.withLock { state -> ChannelSession? in
      guard !state.isClosed, state.sessions.count < limits.sessions else { return nil }
      let session = ChannelSession(
        id: Self.id(&state.random), service: service, fields: fields, limits, now: now)
      state.sessions[session.id] = session
      return session
    }
    opened.signal()
    return session
  }

  /// 22 characters of URL-safe base64.
  private static func id(_ random: inout any RandomNumberGenerator & Sendable) -> String {
    let words = [random.next(), random.next()]
    return Base64.encode(
      words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } },
      alphabet: .urlSafe)
  }

  /// The session with this id, if it is one of `service`.
  func find(_ id: String, _ service: String) -> ChannelSession? {
    guard let session = state.withLock({ $0.sessions[id] }), session.service == service else {
      return nil
    }
    return session
  }

  func remove(_ session: ChannelSession) {
    state.withLock { state in _ = state.sessions.removeValue(forKey: session.id) }
    session.terminate()
  }

  var count: Int { state.withLock { $0.sessions.count } }

  /// Sees to fillers, and ends sessions that nobody wants.
  func tick(now: Duration) {
    for session in state.withLock({ Array($0.sessions.values) }) where session.tick(now: now) {
      remove(session)
    }
  }

  /// Ends all sessions; their clients come back later. No new one begins.
  func close() {
    let sessions = state.withLock { state in
      state.isClosed = true
      return Array(state.sessions.values)
    }
    for session in sessions { session.stop() }
  }
}
