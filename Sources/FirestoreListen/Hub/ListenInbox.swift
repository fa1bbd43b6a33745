internal import FirestoreModel
internal import Synchronization

/// What waits for one stream: commits from the hub, requests and the end from its client.
///
/// Commits are kept up to a bound; beyond it they are dropped, and the stream looks into the store instead.
final class ListenInbox: Sendable {
  enum Next: Sendable {
    case commits
    /// What the client may see may have changed.
    case judge
    /// The stream has been silent for long.
    case refresh
    case request(ListenRequest)
    case end(FirestoreError?)
  }

  enum Commits: Sendable {
    case all([Delivery])
    /// Some were dropped.
    case overflow
  }

  private struct State {
    var deliveries: [Delivery] = []
    var changes = 0
    var bytes = 0
    /// The newest commit of which a part came.
    var lastVersion: Int64 = 0
    var isOverflown = false
    /// Whether there are whole commits.
    var isReady = false
    var isDue = false
    var isSuspect = false
    var request: ListenRequest?
    var end: FirestoreError??
  }

  private let changeLimit: Int
  private let byteLimit: Int
  private let state = Mutex(State())
  private let arrival = Signal()
  /// Is called instead of the signal, for a stream without a task.
  private let attendant = Mutex<(@Sendable () -> Void)?>(nil)
  private let room = Signal()

  init(changeLimit: Int = 4_096, byteLimit: Int = 8 << 20) {
    self.changeLimit = changeLimit
    self.byteLimit = byteLimit
  }

  // MARK: From the hub

  /// Keeps a part of a commit; `wake` is to follow when all parts are here, outside of the hub's lock. Returns whether it
  /// is the first part.
  func deliver(_ delivery: Delivery) -> Bool {
    state.withLock { state in
      let isFirst = state.lastVersion != delivery.version
      state.lastVersion = delivery.version
      guard !state.isOverflown else { return isFirst }
      state.changes += delivery.count
      state.bytes += delivery.bytes
      state.deliveries.append(delivery)
      if state.changes > changeLimit || state.bytes > byteLimit {
        state.isOverflown = true
        state.deliveries = []
      }
      return isFirst
    }
  }

  func wake() {
    state.withLock { $0.isReady = true }
    ring()
  }

  func judge() {
    state.withLock { $0.isSuspect = true }
    ring()
  }

  func refresh() {
    state.withLock { $0.isDue = true }
    ring()
  }

  /// Calls `body` whenever something has come, instead of waking who waits in `next`.
  func attend(_ body: (@Sendable () -> Void)?) {
    attendant.withLock { $0 = body }
  }

  private func ring() {
    if let attendant = attendant.withLock({ $0 }) { attendant() } else { arrival.set() }
  }

  // MARK: From the client

  /// Hands over a request, after the one before was taken.
  func put(_ request: ListenRequest) async {
    while !Task.isCancelled, !offer(request) { await room.wait() }
  }

  /// Hands over a request unless the one before was not taken yet.
  func offer(_ request: ListenRequest) -> Bool {
    let isIn = state.withLock { state in
      guard state.request == nil else { return false }
      state.request = request
      return true
    }
    if isIn { ring() }
    return isIn
  }

  /// Whether a request would be taken.
  var hasRoom: Bool { state.withLock { $0.request == nil } }

  /// No request will come any more; `error` ends the stream even before what is there was looked at.
  func end(_ error: FirestoreError?) {
    state.withLock { state in
      if state.end == nil || error != nil { state.end = .some(error) }
    }
    ring()
  }

  // MARK: To the stream

  /// What is to be done next: requests before the end, and both before the rest. Waits until there is something.
  ///
  /// - Throws: `CANCELLED`.
  func next() async throws(FirestoreError) -> Next {
    while true {
      if Task.isCancelled { throw FirestoreError(.cancelled, "The request was cancelled.") }
      if let next = look() { return next }
      await arrival.wait()
    }
  }

  /// What is to be done next, if there is something.
  func look() -> Next? {
    let next = state.withLock { state -> Next? in
      if case .some(.some(let error)) = state.end { return .end(error) }
      if let request = state.request {
        state.request = nil
        return .request(request)
      }
      if state.end != nil { return .end(nil) }
      if state.isSuspect {
        state.isSuspect = false
        return .judge
      }
      if state.isReady {
        state.isReady = false
        return .commits
      }
      guard state.isDue else { return nil }
      state.isDue = false
      return .refresh
    }
    if case .request = next { room.set() }
    return next
  }

  /// Takes the commits up to `version`, all parts of which must be here.
  func takeCommits(upTo version: Int64) -> Commits {
    state.withLock { state in
      if state.isOverflown {
        // Of a commit that has begun to come, a part may have been dropped already: the rest must be too.
        state.isOverflown = state.lastVersion > version
        (state.changes, state.bytes) = (0, 0)
        return .overflow
      }
      let end = state.deliveries.firstIndex { $0.version > version }
      let taken = state.deliveries[..<(end ?? state.deliveries.endIndex)]
      state.deliveries.removeFirst(taken.count)
      state.changes = state.deliveries.reduce(0) { $0 + $1.count }
      state.bytes = state.deliveries.reduce(0) { $0 + $1.bytes }
      return .all(Array(taken))
    }
  }
}

extension Delivery {
  var count: Int {
    switch content {
    case .news(let news, _): news.changes.count
    case .cleared: 1
    }
  }

  var bytes: Int {
    switch content {
    case .news(let news, _): news.size
    case .cleared: 0
    }
  }
}
