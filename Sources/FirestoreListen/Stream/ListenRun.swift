internal import Coding
internal import FirestoreEngine
internal import FirestoreModel

/// The state of a stream. All targets show the database at `position`.
struct ListenRun: Sendable {
  let stream: ListenStream
  var table = TargetTable()
  /// The moment of the last snapshot; commits up to it are told.
  var position: Int64 = 0
  var incarnation: Int64 = 0
  /// What an attempt at a target may meet: history that goes away under it.
  static let attempts = 3

  // What could not be told at once:
  /// Messages up to `position` for which there was no room.
  private var unsent: [ListenMessage] = []
  /// Commits that need more than a look at themselves.
  private var held: [Delivery] = []
  /// Whether commits were dropped.
  private var isBehind = false

  init(_ stream: ListenStream) {
    self.stream = stream
  }

  mutating func answer(
    _ next: ListenInbox.Next, _ send: ListenStream.Send
  ) async throws(FirestoreError) {
    if !unsent.isEmpty {
      let messages = unsent
      unsent = []
      try await send(messages)
    }
    switch next {
    case .commits: try await advance(upTo: stream.hub.seen, send)
    case .judge: try await judge(send)
    case .refresh: try await refresh(send)
    case .request(.add(let target)): try await add(target, send)
    case .request(.remove(let id)):
      if let target = table.remove(id) {
        unsubscribe(target)
        try await send([.removed(id, cause: nil)])
      }
    case .end: break
    }
  }

  func removeAll() {
    for target in table.inOrder { unsubscribe(target) }
  }

  func unsubscribe(_ target: ActiveTarget) {
    stream.hub.unsubscribe(target.key, from: target.selection, in: stream.database)
  }

  /// Ends a target.
  mutating func drop(_ target: ActiveTarget) {
    unsubscribe(target)
    _ = table.remove(target.id)
  }

  /// How many targets are judged in one go, so that other streams have their turn.
  private static let stride = 32

  /// Removes the targets that the client may not see any more.
  private mutating func judge(_ send: ListenStream.Send) async throws(FirestoreError) {
    guard stream.isBound() else { return }
    var refused: [ListenMessage] = []
    for (place, target) in table.inOrder.enumerated() {
      if place % Self.stride == Self.stride - 1 { await Task.yield() }
      do throws(FirestoreError) {
        try stream.admit(target.selection, nil)
      } catch {
        drop(target)
        refused.append(.removed(target.id, cause: error))
      }
    }
    if !refused.isEmpty { try await send(refused) }
  }

  /// A moment up to which everything was told, with a token for the newest commit in it.
  func moment(_ version: Int64, commit: Int64) -> ListenMoment {
    ListenMoment(
      readTime: ReadPoint(version: version).time,
      token: ResumeToken(incarnation: incarnation, version: commit))
  }

  // MARK: - Commits

  /// What each target has to look at.
  struct News {
    var targets: [TargetKey: [TargetNews]] = [:]
    var isCleared = false
    /// The last commit; `nil` without one.
    var version: Int64?
    var incarnation: Int64 = 0

    init(_ deliveries: [Delivery], after position: Int64) {
      for delivery in deliveries where delivery.version > position {
        switch delivery.content {
        case .news(let news, let key): targets[key, default: []].append(news)
        case .cleared:
          isCleared = true
          targets = [:]
        }
        version = delivery.version
        incarnation = delivery.incarnation
      }
    }

    /// What happened, if it is one commit for one target.
    var only: (key: TargetKey, news: TargetNews)? {
      guard !isCleared, targets.count == 1, let (key, news) = targets.first, news.count == 1
      else { return nil }
      return (key, news[0])
    }
  }

  /// Tells the commits that have come through `outlet`, if that takes no waiting; otherwise they are kept for the task.
  mutating func tellNow(through outlet: ListenOutlet) -> Bool {
    guard held.isEmpty, unsent.isEmpty, !isBehind else { return false }
    switch stream.inbox.takeCommits(upTo: stream.hub.seen) {
    case .overflow:
      isBehind = true
      return false
    case .all(let deliveries):
      let news = News(deliveries, after: position)
      guard let version = news.version else { return true }
      guard !stream.isBound(), let batch = batch(of: news, at: version) else {
        held = deliveries
        return false
      }
      position = version
      if batch.messages.isEmpty || outlet.offer(batch) { return true }
      unsent = batch.messages
      return false
    }
  }

  /// The messages about `news`; `nil`, with nothing changed, if there is something to wait for.
  private mutating func batch(of news: News, at version: Int64) -> ListenBatch? {
    let earlier = incarnation
    incarnation = news.incarnation
    let moment = moment(version, commit: version)
    if let (key, only) = news.only, let target = table[key], target.isStateless,
      let batch = only.batch(for: target, at: moment)
    {
      return batch
    }
    var snapshot = Snapshot()
    do {
      for key in news.isCleared ? table.keysInOrder : news.targets.keys.sorted() {
        guard let target = table[key] else { continue }
        var view = try TargetView(target, news.targets[key] ?? [], isCleared: news.isCleared)
        if view.isShort, !view.refill() {
          incarnation = earlier
          return nil
        }
        try finish(view, at: ReadPoint(version: version), &snapshot)
      }
    } catch {
      // The task meets the error too, and deals with it.
      incarnation = earlier
      return nil
    }
    for target in snapshot.changed { table.insert(target) }
    return ListenBatch(snapshot.builder.messages(at: moment))
  }

  /// Tells the commits that have come, up to `end`.
  mutating func advance(
    upTo end: Int64, _ send: ListenStream.Send
  ) async throws(FirestoreError) {
    let commits = stream.inbox.takeCommits(upTo: end)
    let earlier = held
    held = []
    switch commits {
    case .all(let deliveries) where !isBehind:
      let news = News(earlier + deliveries, after: position)
      guard let version = news.version else { return }
      incarnation = news.incarnation
      guard let messages = try await tell(news, at: version) else {
        return try await resynchronise(at: max(end, version), send)
      }
      position = version
      if !messages.isEmpty { try await send(messages) }
    case .all, .overflow:
      isBehind = false
      try await resynchronise(at: end, send)
    }
  }

  /// The messages about `news`; `nil` if the store has already forgotten the moment.
  private mutating func tell(
    _ news: News, at version: Int64
  ) async throws(FirestoreError) -> [ListenMessage]? {
    let point = ReadPoint(version: version)
    var snapshot = Snapshot()
    for key in news.isCleared ? table.keysInOrder : news.targets.keys.sorted() {
      guard let target = table[key] else { continue }
      do throws(FirestoreError) {
        // Rules may have changed, and so may documents that they look at.
        if stream.isBound() { try stream.admit(target.selection, point) }
        var view = try TargetView(target, news.targets[key] ?? [], isCleared: news.isCleared)
        if view.isShort, !view.refill(), case .query(let query) = target.selection {
          view.refill(with: try await window(of: query, at: point))
        }
        try finish(view, at: point, &snapshot)
      } catch {
        if error.code == .cancelled { throw error }
        if error.code == .failedPrecondition { return nil }
        snapshot.failed.append((target, error))
      }
    }
    // Only now, so that nothing has changed if the moment is forgotten.
    for target in snapshot.changed { table.insert(target) }
    for (target, error) in snapshot.failed {
      drop(target)
      snapshot.builder.fail(target, error)
    }
    return snapshot.builder.messages(at: moment(version, commit: version))
  }

  /// A snapshot in the making.
  private struct Snapshot {
    var builder = SnapshotBuilder()
    /// Targets that remember something else now.
    var changed: [ActiveTarget] = []
    var failed: [(target: ActiveTarget, cause: FirestoreError)] = []
  }

  private func finish(
    _ view: TargetView, at point: ReadPoint, _ snapshot: inout Snapshot
  ) throws(FirestoreError) {
    var view = view
    let effects = try view.effects(in: stream.database) { (paths) throws(FirestoreError) in
      try stream.engine.read(stream.database, at: point) { view in
        var documents: [DocumentPath: Document] = [:]
        for path in paths { documents[path] = try view.document(path) }
        return documents
      }
    }
    if view.isReset { snapshot.builder.reset(view.target) }
    for effect in effects {
      try snapshot.builder.append(stream.veiled(effect, at: point), of: view.target)
    }
    if !view.target.isStateless { snapshot.changed.append(view.target) }
  }

  /// Looks up the first results of a query with a limit.
  func window(
    of query: ListenQuery, at point: ReadPoint
  ) async throws(FirestoreError) -> WindowContent {
    var entries: [ResultWindow.Entry] = []
    var run = QueryRun(query.window, in: stream.engine, at: point)
    while let page = try await run.next() {
      for document in page.documents {
        guard let key = try query.key(of: document) else { continue }
        entries.append(ResultWindow.Entry(key: key, path: document.name.path))
      }
    }
    return WindowContent(
      entries: entries, isComplete: query.window.limit.map { entries.count < $0 } ?? true)
  }
}
