package import FirestoreEngine
internal import FirestoreModel
internal import Synchronization

/// Brings commits to the streams that listen to their documents.
///
/// A commit costs what it touches: its documents and those who listen to them. Lock order: the hub, then an inbox.
package final class ListenHub: Sendable {
  private struct State {
    /// The newest commit that was handed out.
    var seen: Int64 = 0
    var indexes: [DatabaseName: TargetIndex] = [:]
    var streams: [ObjectIdentifier: ListenInbox] = [:]
    var keys: UInt64 = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  package init() {}

  // MARK: - The feed

  /// Takes a commit; this is the feed of the engine.
  package func receive(_ event: CommitEvent) {
    let woken = state.withLock { state -> [ListenInbox] in
      state.seen = event.version
      guard let index = state.indexes[event.database] else { return [] }
      switch event.content {
      case .changes(let changes): return Self.deliver(changes, of: event, index)
      case .cleared:
        let inboxes = index.inboxes
        for inbox in inboxes { inbox.deliver(Delivery(event, .cleared)) }
        return inboxes
      }
    }
    for inbox in woken { inbox.wake() }
  }

  private static func deliver(
    _ changes: [DocumentChange], of event: CommitEvent, _ index: TargetIndex
  ) -> [ListenInbox] {
    var found:
      [ObjectIdentifier: (
        inbox: ListenInbox, changes: [(target: TargetKey, change: ListenChange)]
      )] = [:]
    for change in changes {
      var shared: ListenChange?
      index.forEachListener(to: change.path) { key, inbox in
        let change = shared ?? ListenChange(change, in: event.database)
        shared = change
        found[ObjectIdentifier(inbox), default: (inbox, [])].changes.append((key, change))
      }
    }
    for (inbox, changes) in found.values { inbox.deliver(Delivery(event, .changes(changes))) }
    return found.values.map(\.inbox)
  }

  // MARK: - Streams

  /// Ends all streams, and those that come later at once.
  package func close() {
    let inboxes = state.withLock { state in
      state.isClosed = true
      return Array(state.streams.values)
    }
    for inbox in inboxes { inbox.end(.shuttingDown) }
  }

  func open(_ inbox: ListenInbox) {
    let isClosed = state.withLock { state in
      state.streams[ObjectIdentifier(inbox)] = inbox
      return state.isClosed
    }
    if isClosed { inbox.end(.shuttingDown) }
  }

  func close(_ inbox: ListenInbox) {
    state.withLock { state in _ = state.streams.removeValue(forKey: ObjectIdentifier(inbox)) }
  }

  /// From now on commits to documents of `scope` go to `inbox` under a new key.
  func subscribe(
    _ inbox: ListenInbox, to scope: TargetScope, in database: DatabaseName
  ) -> TargetKey {
    state.withLock { state in
      state.keys += 1
      let key = TargetKey(number: state.keys)
      state.indexes[database, default: TargetIndex()].insert(scope, key, inbox)
      return key
    }
  }

  func unsubscribe(_ key: TargetKey, from scope: TargetScope, in database: DatabaseName) {
    state.withLock { state in
      state.indexes[database]?.remove(scope, key)
      if state.indexes[database]?.isEmpty == true { state.indexes[database] = nil }
    }
  }

  /// A moment of which all commits are in the store and in the inboxes.
  func now(_ engine: Engine) -> Int64 {
    let time = engine.readPoint.version
    return max(time, state.withLock { $0.seen })
  }
}

extension Delivery {
  fileprivate init(_ event: CommitEvent, _ content: Content) {
    self.init(version: event.version, incarnation: event.incarnation, content: content)
  }
}

extension FirestoreError {
  fileprivate static let shuttingDown = FirestoreError(
    .unavailable, "The server is shutting down.")
}
