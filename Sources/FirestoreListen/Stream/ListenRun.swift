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
      case .commits: try await advance(send)
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
    stream.hub.unsubscribe(target.key, from: target.scope, in: stream.database)
  }

  /// A moment up to which everything was told, with a token for the newest commit in it.
  func moment(_ version: Int64, commit: Int64) -> ListenMoment {
    ListenMoment(
      readTime: ReadPoint(version: version).time,
      token: ResumeToken(incarnation: incarnation, version: commit))
  }

  // MARK: - Commits

  /// Tells the commits that have come, up to `end` if there is one.
  mutating func advance(
    upTo end: Int64? = nil, _ send: ListenStream.Send
  ) async throws(FirestoreError) {
    switch stream.inbox.takeCommits(upTo: end) {
    case .all(let deliveries):
      let news = deliveries.filter { $0.version > position }
      guard let last = news.last else { return }
      incarnation = last.incarnation
      guard let messages = try await tell(Self.changes(of: news), at: last.version) else {
        return try await resynchronise(at: end ?? stream.hub.now(stream.engine), send)
      }
      position = last.version
      if !messages.isEmpty { try await send(messages) }
    case .overflow: try await resynchronise(at: end ?? stream.hub.now(stream.engine), send)
    }
  }

  /// What each target has to look at.
  private static func changes(of deliveries: [Delivery]) -> (
    targets: [TargetKey: TargetChanges], isCleared: Bool
  ) {
    var targets: [TargetKey: TargetChanges] = [:]
    var isCleared = false
    for delivery in deliveries {
      switch delivery.content {
      case .changes(let changes):
        for (key, change) in changes { targets[key, default: TargetChanges()].append(change) }
      case .cleared:
        isCleared = true
        targets = [:]
      }
    }
    guard isCleared else { return (targets, false) }
    var cleared: [TargetKey: TargetChanges] = [:]
    for (key, changes) in targets {
      cleared[key, default: .cleared].append(contentsOf: changes)
    }
    return (cleared, true)
  }

  /// The messages about `changes`; `nil` if the store has already forgotten the moment.
  private mutating func tell(
    _ changes: (targets: [TargetKey: TargetChanges], isCleared: Bool), at version: Int64
  ) async throws(FirestoreError) -> [ListenMessage]? {
    var builder = SnapshotBuilder()
    for var target in table.inOrder {
      guard let changes = changes.targets[target.key] ?? (changes.isCleared ? .cleared : nil)
      else { continue }
      do throws(FirestoreError) {
        try await apply(changes, to: &target, at: ReadPoint(version: version), &builder)
        table.insert(target)
      } catch {
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
    _ changes: TargetChanges, to target: inout ActiveTarget, at point: ReadPoint,
    _ builder: inout SnapshotBuilder
  ) async throws(FirestoreError) {
    var effects = try target.effects(of: changes)
    if target.needsReset(for: changes) { builder.reset(target) }
    if target.window?.isShort == true, case .query(let query) = target.selection {
      try await fill(&target, query, at: point)
    }
    if target.window != nil {
      let (shown, unread) = target.show(changes, in: stream.database)
      effects += shown
      for document in try documents(unread, at: point) {
        effects.append(.matches(SharedDocument(document)))
      }
    }
    for effect in effects { try builder.append(effect, of: target) }
  }

  /// Looks up the first results of a query with a limit.
  func fill(
    _ target: inout ActiveTarget, _ query: ListenQuery, at point: ReadPoint
  ) async throws(FirestoreError) {
    var entries: [ResultWindow.Entry] = []
    var run = QueryRun(query.window, in: stream.engine, at: point)
    while let page = try await run.next() {
      for document in page.documents {
        guard let key = try query.key(of: document) else { continue }
        entries.append(ResultWindow.Entry(key: key, path: document.name.path))
      }
    }
    let isComplete = query.window.limit.map { entries.count < $0 } ?? true
    target.window?.fill(entries, isComplete: isComplete)
  }

  /// Those of the documents that exist.
  func documents(
    _ paths: [DocumentPath], at point: ReadPoint
  ) throws(FirestoreError) -> [Document] {
    guard !paths.isEmpty else { return [] }
    return try stream.engine.read(stream.database, at: point) { view in
      var documents: [Document] = []
      for path in paths {
        if let document = try view.document(path) { documents.append(document) }
      }
      return documents
    }
  }
}

extension TargetChanges {
  fileprivate static var cleared: TargetChanges {
    var changes = TargetChanges()
    changes.clear()
    return changes
  }

  fileprivate mutating func append(contentsOf other: TargetChanges) {
    for change in other.all { append(change) }
  }
}
