internal import Coding
internal import FirestoreEngine
internal import FirestoreModel

/// Tells what one target is at a moment, from what its client knows, with reads of the store.
struct TargetLoader {
  /// Changes that are looked at one by one; with more of them the query is run.
  static let changeLimit = 10_000
  private static let step = 128

  let stream: ListenStream
  private(set) var target: ActiveTarget
  /// What was not sent yet.
  var pending: [ListenMessage] = []
  /// Whether the client was told to forget.
  private(set) var isReset = false
  private var moment = ListenMoment(
    readTime: Timestamp(microseconds: 0), token: ResumeToken(incarnation: 0, version: 0))
  private var point = ReadPoint(version: 0)

  init(_ stream: ListenStream, _ target: ActiveTarget) {
    self.stream = stream
    self.target = target
  }

  mutating func flush(_ send: ListenStream.Send) async throws(FirestoreError) {
    guard !pending.isEmpty else { return }
    let messages = pending
    pending = []
    try await send(messages)
  }

  /// Makes what the client knows of the target what it is at `point`, `moment` on the wire.
  ///
  /// - Throws: `FAILED_PRECONDITION` if history is missing.
  mutating func load(
    from start: ListenRun.Start, to moment: ListenMoment, at point: ReadPoint,
    _ expectedCount: Int?, _ send: ListenStream.Send
  ) async throws(FirestoreError) {
    self.moment = moment
    self.point = point
    switch start {
    case .empty(let isReset): try await loadAll(isReset: isReset, send)
    case .point(let earlier, let isLive):
      try await loadChanges(since: earlier, isLive: isLive, expectedCount, send)
    }
  }

  private mutating func append(_ effect: TargetEffect) throws(FirestoreError) {
    switch stream.veiled(effect, at: point) {
    case .matches(let shared):
      var shared = shared
      if case .query(let query) = target.selection, query.isProjected {
        shared = SharedDocument(try query.query.projected(shared.document))
      }
      pending.append(.changed(shared, targets: [target.id], left: []))
    case .left(let shared): pending.append(.changed(shared, targets: [], left: [target.id]))
    case .leftView(let name):
      pending.append(.leftView(name, moment.readTime, left: [target.id]))
    case .deleted(let name): pending.append(.deleted(name, moment.readTime, left: [target.id]))
    }
  }

  // MARK: - From nothing

  private mutating func loadAll(
    isReset: Bool, _ send: ListenStream.Send
  ) async throws(FirestoreError) {
    if isReset {
      pending.append(.reset([target.id], moment))
      self.isReset = true
    }
    switch target.selection {
    case .documents(let names):
      try await inSteps(names, send) { (name, view) in
        TargetEffect(try view.document(name.path).map(SharedDocument.init), orDeleted: name)
      }
    case .query(let query):
      guard target.window == nil else {
        target.window?.reset()
        return try await loadWindow(query, since: nil, nil, send)
      }
      try await forEach(query) { (loader, document) throws(FirestoreError) in
        try loader.append(.matches(SharedDocument(document)))
      } pageDone: { (loader) throws(FirestoreError) in
        try await loader.flush(send)
      }
    }
  }

  /// Calls `body` with all results of the query.
  private mutating func forEach(
    _ query: ListenQuery,
    _ body: (inout TargetLoader, Document) throws(FirestoreError) -> Void,
    pageDone: (inout TargetLoader) async throws(FirestoreError) -> Void
  ) async throws(FirestoreError) {
    var run = QueryRun(query.window, in: stream.engine, at: point)
    while let page = try await run.next() {
      for document in page.documents { try body(&self, document) }
      try await pageDone(&self)
    }
  }

  /// Looks at `items` in the view of the point, a few at a time, and tells what is to be told of each.
  private mutating func inSteps<Item>(
    _ items: [Item], _ send: ListenStream.Send,
    _ effect: (Item, DatabaseView) throws -> TargetEffect?
  ) async throws(FirestoreError) {
    var rest = items[...]
    while !rest.isEmpty {
      let effects = try stream.engine.read(stream.database, at: point) { view in
        try rest.prefix(Self.step).compactMap { try effect($0, view) }
      }
      rest = rest.dropFirst(Self.step)
      for effect in effects { try append(effect) }
      try await flush(send)
    }
  }

  // MARK: - From a point

  private mutating func loadChanges(
    since earlier: ReadPoint, isLive: Bool, _ expectedCount: Int?, _ send: ListenStream.Send
  ) async throws(FirestoreError) {
    switch target.selection {
    case .documents(let names):
      try await loadDocuments(names, since: earlier, expectedCount, send)
    case .query(let query):
      if target.window != nil {
        try await loadWindow(query, since: earlier, isLive: isLive, expectedCount, send)
      } else if let paths = try await changedPaths(since: earlier) {
        try await loadQuery(query, paths, since: earlier, expectedCount, send)
      } else if isLive {
        try await loadAll(isReset: true, send)
      } else {
        try await loadNewer(query, since: earlier, wantsNames: expectedCount ?? 0 > 0, send)
      }
    }
  }

  private mutating func loadDocuments(
    _ names: [DocumentName], since earlier: ReadPoint, _ expectedCount: Int?,
    _ send: ListenStream.Send
  ) async throws(FirestoreError) {
    var known = 0
    var entries: [BloomFilter.Entry] = []
    try await inSteps(names, send) { (name, view) in
      let before = try view.earlier(earlier).document(name.path)
      let after = try view.document(name.path)
      if before != nil { known += 1 }
      if after != nil { entries.append(BloomFilter.Entry(name.text)) }
      guard after?.updateTime != before?.updateTime else { return nil }
      return TargetEffect(after.map(SharedDocument.init), orDeleted: name)
    }
    filter(expectedCount, known: known, entries)
  }

  /// The documents in the scope of the target that changed; `nil` if there were too many changes.
  private func changedPaths(
    since earlier: ReadPoint
  ) async throws(FirestoreError) -> [DocumentPath]? {
    let scope = target.selection.scope
    var paths: [DocumentPath] = []
    var seen: Set<DocumentPath> = []
    var changes = 0
    var position: DatabaseView.ChangePosition?
    repeat {
      if position != nil { await Task.yield() }
      let page = try stream.engine.read(stream.database, at: point) { view in
        try view.changes(behind: earlier.version, from: position, limit: 256)
      }
      changes += page.paths.count
      guard changes <= Self.changeLimit else { return nil }
      for path in page.paths where scope.contains(path) && seen.insert(path).inserted {
        paths.append(path)
      }
      position = page.next
    } while position != nil
    return paths
  }

  private mutating func loadQuery(
    _ query: ListenQuery, _ paths: [DocumentPath], since earlier: ReadPoint,
    _ expectedCount: Int?, _ send: ListenStream.Send
  ) async throws(FirestoreError) {
    let database = stream.database
    var growth = 0
    try await inSteps(paths, send) { (path, view) in
      let before = try view.earlier(earlier).document(path)
      let after = try view.document(path)
      let didMatch = try before.map { try query.key(of: $0) != nil } ?? false
      let matches = try after.map { try query.key(of: $0) != nil } ?? false
      growth += (matches ? 1 : 0) - (didMatch ? 1 : 0)
      guard after != before, matches || didMatch else { return nil }
      guard let after = after.map(SharedDocument.init) else {
        return .deleted(DocumentName(database: database, path: path))
      }
      return matches ? .matches(after) : .left(after)
    }
    guard expectedCount != nil else { return }
    var entries: [BloomFilter.Entry] = []
    try await forEach(query) { (_, document) throws(FirestoreError) in
      entries.append(BloomFilter.Entry(document.name.text))
    } pageDone: { (_) throws(FirestoreError) in
    }
    filter(expectedCount, known: entries.count - growth, entries)
  }

  /// Tells the results that changed; a filter has to say which others remain.
  private mutating func loadNewer(
    _ query: ListenQuery, since earlier: ReadPoint, wantsNames: Bool, _ send: ListenStream.Send
  ) async throws(FirestoreError) {
    var entries: [BloomFilter.Entry] = []
    try await forEach(query) { (loader, document) throws(FirestoreError) in
      entries.append(BloomFilter.Entry(document.name.text))
      guard document.updateTime > earlier.time else { return }
      try loader.append(.matches(SharedDocument(document)))
    } pageDone: { (loader) throws(FirestoreError) in
      try await loader.flush(send)
    }
    let filter = ExistenceFilter(
      target: target.id, count: entries.count, names: wantsNames ? BloomFilter(entries) : nil)
    pending.append(.filter(filter))
  }

  /// Adds a filter if the client knows another number of documents than it should.
  private mutating func filter(
    _ expectedCount: Int?, known: Int, _ entries: [BloomFilter.Entry]
  ) {
    guard let expectedCount, expectedCount != known else { return }
    pending.append(
      .filter(
        ExistenceFilter(
          target: target.id, count: entries.count,
          names: expectedCount > 0 ? BloomFilter(entries) : nil)))
  }
}

// MARK: - Queries with a limit

extension TargetLoader {
  /// Tells the results in the window, of which a client that comes from `earlier` knows some.
  private mutating func loadWindow(
    _ query: ListenQuery, since earlier: ReadPoint?, isLive: Bool = false,
    _ expectedCount: Int?, _ send: ListenStream.Send
  ) async throws(FirestoreError) {
    let database = stream.database
    let run = ListenRun(stream)
    if let earlier, !isLive {
      target.window?.fill(try await run.window(of: query, at: earlier))
      _ = target.window?.show()
    }
    let known = target.window?.shown ?? []
    target.window?.fill(try await run.window(of: query, at: point))
    let left = target.window?.show().left ?? []
    let shown = target.window?.inOrder ?? []
    try await inSteps(left, send) { (path, view) in
      let name = DocumentName(database: database, path: path)
      guard let document = try view.document(path) else { return .deleted(name) }
      let isNewer = earlier.map { document.updateTime > $0.time } ?? true
      return isNewer ? .left(SharedDocument(document)) : .leftView(name)
    }
    try await inSteps(shown, send) { (path, view) in
      guard let document = try view.document(path) else { return nil }
      if let earlier, known.contains(path), document.updateTime <= earlier.time { return nil }
      return .matches(SharedDocument(document))
    }
    filter(
      expectedCount, known: known.count,
      shown.map {
        BloomFilter.Entry(DocumentName(database: database, path: $0).text)
      })
  }
}
