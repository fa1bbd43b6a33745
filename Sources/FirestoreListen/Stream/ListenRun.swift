internal import Coding
internal import FirestoreEngine
internal import FirestoreModel

/// The state of a stream while it answers. All targets show the database at `position`.
struct ListenRun {
  let stream: ListenStream
  var table = TargetTable()
  /// The moment of the last snapshot; commits up to it are told.
  var position: Int64 = 0
  var incarnation: Int64 = 0
  /// What an attempt at a target may meet: history that goes away under it.
  static let attempts = 3

  init(_ stream: ListenStream) {
    self.stream = stream
  }

  mutating func answer(_ send: ListenStream.Send) async throws(FirestoreError) {
    while true {
      switch try await stream.inbox.next() {
      case .commits: try await advance(upTo: stream.hub.seen, send)
      case .refresh: try await refresh(send)
      case .request(.add(let target)): try await add(target, send)
      case .request(.remove(let id)):
        if let target = table.remove(id) {
          unsubscribe(target)
          try await send([.removed(id, cause: nil)])
        }
      case .end(let error):
        if let error { throw error }
        return
      }
    }
  }

  mutating func removeAll() {
    for target in table.inOrder { unsubscribe(target) }
    table = TargetTable()
  }

  func unsubscribe(_ target: ActiveTarget) {
    stream.hub.unsubscribe(target.key, from: target.selection, in: stream.database)
  }

  /// A moment up to which everything was told, with a token for the newest commit in it.
  func moment(_ version: Int64, commit: Int64) -> ListenMoment {
    ListenMoment(
      readTime: ReadPoint(version: version).time,
      token: ResumeToken(incarnation: incarnation, version: commit))
  }

  // MARK: - Commits

  /// Tells the commits that have come, up to `end`.
  mutating func advance(
    upTo end: Int64, _ send: ListenStream.Send
  ) async throws(FirestoreError) {
    switch stream.inbox.takeCommits(upTo: end) {
    case .all(let deliveries):
      let news = News(deliveries, after: position)
      guard let version = news.version else { return }
      incarnation = news.incarnation
      guard let messages = try await tell(news, at: version) else {
        return try await resynchronise(at: max(end, version), send)
      }
      position = version
      if !messages.isEmpty { try await send(messages) }
    case .overflow: try await resynchronise(at: end, send)
    }
  }

  /// What each target has to look at.
  private struct News {
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
  }

  /// The messages about `news`; `nil` if the store has already forgotten the moment.
  private mutating func tell(
    _ news: News, at version: Int64
  ) async throws(FirestoreError) -> [ListenMessage]? {
    var builder = SnapshotBuilder()
    for key in news.isCleared ? table.keysInOrder : news.targets.keys.sorted() {
      // Out of the table, so that it is changed in place.
      guard var target = table.take(key) else { continue }
      do throws(FirestoreError) {
        try await apply(
          news.targets[key] ?? [], isCleared: news.isCleared, to: &target,
          at: ReadPoint(version: version), &builder)
        table.insert(target)
      } catch {
        table.insert(target)
        if error.code == .cancelled { throw error }
        if error.code == .failedPrecondition { return nil }
        drop(target, because: error, &builder)
      }
    }
    return builder.messages(at: moment(version, commit: version))
  }

  private mutating func drop(
    _ target: ActiveTarget, because error: FirestoreError, _ builder: inout SnapshotBuilder
  ) {
    unsubscribe(target)
    _ = table.remove(target.id)
    builder.fail(target, error)
  }

  private func apply(
    _ news: [TargetNews], isCleared: Bool, to target: inout ActiveTarget, at point: ReadPoint,
    _ builder: inout SnapshotBuilder
  ) async throws(FirestoreError) {
    let changes = try TargetChanges(news, isCleared: isCleared)
    var effects = target.effects(of: changes)
    if target.needsReset(for: changes) { builder.reset(target) }
    if target.window?.isShort == true, case .query(let query) = target.selection {
      let content = try await window(of: query, at: point, news.last)
      target.window?.fill(content)
    }
    if target.window != nil {
      let (shown, unread) = target.show(changes, in: stream.database)
      effects += shown
      effects += try documents(unread, at: point, news.last).map { .matches($0) }
    }
    for effect in effects { try builder.append(effect, of: target) }
  }

  /// The first results of a query with a limit, from the store or as another listener found them.
  private func window(
    of query: ListenQuery, at point: ReadPoint, _ news: TargetNews?
  ) async throws(FirestoreError) -> WindowContent {
    // What is known of a commit is true for the last one only.
    if let content = news?.window { return content }
    let content = try await window(of: query, at: point)
    news?.window = content
    return content
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

  /// Those of the documents that exist.
  private func documents(
    _ paths: [DocumentPath], at point: ReadPoint, _ news: TargetNews?
  ) throws(FirestoreError) -> [SharedDocument] {
    guard !paths.isEmpty else { return [] }
    let read = { (paths: [DocumentPath]) throws(FirestoreError) in
      try stream.engine.read(stream.database, at: point) { view in
        var documents: [DocumentPath: Document] = [:]
        for path in paths { documents[path] = try view.document(path) }
        return documents
      }
    }
    guard let news else {
      let found = try read(paths)
      return paths.compactMap { found[$0].map(SharedDocument.init) }
    }
    return try news.documents(paths, read)
  }
}
