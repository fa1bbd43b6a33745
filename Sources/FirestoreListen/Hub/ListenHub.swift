package import FirestoreEngine
package import FirestoreModel
internal import Synchronization

/// Brings commits to the streams that listen to their documents.
///
/// A commit costs what it touches: its documents and those who listen to them. Lock order: the hub, then an inbox.
package final class ListenHub: Sendable {
  private struct State {
    var indexes: [DatabaseName: TargetIndex] = [:]
    var streams = StreamRing()
    var keys: UInt64 = 0
    var isClosed = false
  }

  private let state = Mutex(State())
  /// The newest commit of which all is in the inboxes.
  private let newest = Atomic<Int64>(0)
  private let arrival = Signal()

  package init() {}

  /// The newest commit that was handed out.
  var seen: Int64 { newest.load(ordering: .acquiring) }

  // MARK: - The feed

  /// Takes a commit; this is the feed of the engine.
  package func receive(_ event: CommitEvent) {
    let woken = state.withLock { state -> [ListenStream] in
      defer { newest.store(event.version, ordering: .releasing) }
      guard let index = state.indexes[event.database] else { return [] }
      switch event.content {
      case .changes(let changes): return Self.deliver(changes, of: event, index)
      case .cleared:
        return index.streams.filter { $0.inbox.deliver(Delivery(event, .cleared)) }
      }
    }
    ListenOutlet.serve(woken)
  }

  private static func deliver(
    _ changes: [DocumentChange], of event: CommitEvent, _ index: TargetIndex
  ) -> [ListenStream] {
    var woken: [ListenStream] = []
    var shared = [ListenChange?](repeating: nil, count: changes.count)
    for (group, places) in index.groups(lookingAt: changes.map(\.path)) {
      let news = places.map { place in
        let change = shared[place] ?? ListenChange(changes[place], in: event.database)
        shared[place] = change
        return change
      }
      let joined = TargetNews(news, for: group.selection)
      woken.reserveCapacity(woken.count + group.listeners.count)
      for (key, stream) in group.listeners
      where stream.inbox.deliver(Delivery(event, .news(joined, for: key))) { woken.append(stream) }
    }
    return woken
  }

  // MARK: - Silent streams

  /// Lets streams that are silent for half a minute show the moment, so that their clients have a recent token to come
  /// back with. Returns when the task is cancelled.
  package func run(clock: some Clock<Duration>) async {
    while !Task.isCancelled {
      guard state.withLock({ !$0.streams.isEmpty }) else {
        await arrival.wait()
        continue
      }
      do {
        try await clock.sleep(for: .seconds(1))
      } catch {
        return
      }
      refreshNext()
    }
  }

  /// Reminds one part of the streams; after as many calls as there are parts, each of them once.
  package func refreshNext() {
    let due = state.withLock { $0.streams.next() }
    for stream in due { stream.inbox.refresh() }
  }

  /// Lets the streams of some databases ask again whether their clients may see what they listen to.
  package func judgeAgain(where isConcerned: (DatabaseName) -> Bool) {
    for stream in state.withLock({ $0.streams.all }) where isConcerned(stream.database) {
      stream.inbox.judge()
    }
  }

  // MARK: - Streams

  /// Ends all streams, and those that come later at once.
  package func close() {
    let streams = state.withLock { state in
      state.isClosed = true
      return state.streams.all
    }
    for stream in streams { stream.end(.shuttingDown) }
  }

  func open(_ stream: ListenStream) {
    let isClosed = state.withLock { state in
      state.streams.insert(stream)
      return state.isClosed
    }
    arrival.set()
    if isClosed { stream.end(.shuttingDown) }
  }

  func close(_ stream: ListenStream) {
    state.withLock { $0.streams.remove(stream) }
  }

  /// From now on commits to documents that `selection` looks at go to `stream` under a new key.
  func subscribe(
    _ stream: ListenStream, to selection: ListenTarget.Selection, in database: DatabaseName
  ) -> TargetKey {
    state.withLock { state in
      state.keys += 1
      let key = TargetKey(number: state.keys)
      state.indexes[database, default: TargetIndex()].insert(selection, key, stream)
      return key
    }
  }

  func unsubscribe(
    _ key: TargetKey, from selection: ListenTarget.Selection, in database: DatabaseName
  ) {
    state.withLock { state in
      state.indexes[database]?.remove(selection, key)
      if state.indexes[database]?.isEmpty == true { state.indexes[database] = nil }
    }
  }

  /// A moment of which all commits are in the store and in the inboxes.
  func now(_ engine: Engine) -> Int64 {
    let time = engine.readPoint.version
    return max(time, seen)
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
