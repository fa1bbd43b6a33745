package import FirestoreModel
internal import KeyValue

/// A query that is being answered, page by page and all at one point.
///
/// A page takes at most `rowsPerStep` rows at a time and gives way to other work in between. Where an index has the order, or the
/// order is that of names, results go out as they are found; otherwise all documents are looked at first, and those that count
/// are kept.
package struct QueryRun: Sendable {
  package struct Page: Sendable {
    /// In the order of the query, with the fields that it asks for.
    package var documents: [Document]
    /// How many results the offset skipped; told once, with or before the first document.
    package var skipped: Int
  }

  private enum Phase: Sendable {
    case planning
    case listing([CollectionPath])
    case streaming(SegmentStream)
    case selecting(SegmentStream, Selection)
    case merging(EntryMerge)
    case mergingAll(EntryMerge, Selection)
    /// The entries still to go out, the next one last.
    case emitting([Selection.Entry])
    case finished
  }

  static let rowsPerStep = 256
  /// Less at first, so that the first results are there at once.
  private static let rowsOfFirstStep = 64
  /// A collection with fewer documents, or a query that looks at fewer, needs no index.
  private static let rowsWorthIndex = 1_000
  /// So many results are better not put in order by hand.
  private static let resultsWorthIndex = 10_000
  /// Bytes of fields, about.
  static let bytesPerPage = 256 << 10

  package let query: Query
  /// The moment that the answer shows; known once the first page was asked for.
  package private(set) var point: ReadPoint?
  private let engine: Engine
  /// Documents without these are left out.
  private let required: [FieldPath]
  /// Whether results have to come in order, even if only to be cut.
  private let needsOrder: Bool
  /// Whether results are only counted; entries are enough for that.
  private let isCounting: Bool
  private let bounds: QueryBounds
  private var phase = Phase.planning
  private var toSkip: Int
  private var skipped = 0
  private var left: Int?
  private var isFirstStep = true
  /// Only documents behind this place count: those before it were found with an index that is of no use any more.
  private var start: (place: [UInt8], order: EntryOrder)?
  /// Rows that were read, and results that were found.
  private var work = (rows: 0, results: 0)
  /// Indexes that would serve the query better.
  private var missing: [IndexShape] = []

  /// `point` of `nil` is now. Documents without one of the fields `required` are left out. Without `isOrdered` the order is open
  /// where neither a limit nor an offset need one.
  package init(
    _ query: Query, in engine: Engine, at point: ReadPoint?, required: [FieldPath] = [],
    isOrdered: Bool = true
  ) {
    self.query = query
    self.engine = engine
    self.point = point
    self.required = required
    self.bounds = QueryBounds(query)
    self.toSkip = query.offset
    self.left = query.nearest?.limit ?? query.limit
    self.isCounting = !isOrdered && required.isEmpty
    self.needsOrder =
      query.nearest == nil && (isOrdered || query.offset > 0 || query.limit != nil)
  }

  /// The next page; `nil` at the end.
  ///
  /// - Throws: `CANCELLED` in a task that was cancelled, `UNAVAILABLE`, `DATA_LOSS`, and `FAILED_PRECONDITION` if the point is too
  ///   old meanwhile.
  package mutating func next() async throws(FirestoreError) -> Page? {
    while true {
      if case .finished = phase, !isFirstStep { return nil }
      if isFirstStep {
        if engine.indexes == .always { try await engine.buildIndexes(for: query) }
        isFirstStep = false
      } else {
        await Task.yield()
        if Task.isCancelled { throw FirestoreError(.cancelled, "The request was cancelled.") }
      }
      let documents = try step()
      if case .finished = phase { toSkip = 0 }
      let isSkippingDone = toSkip == 0 && skipped > 0
      if !documents.isEmpty || isSkippingDone {
        defer { skipped = 0 }
        return Page(documents: documents, skipped: skipped)
      }
    }
  }

  private mutating func step() throws(FirestoreError) -> [Document] {
    var run = self
    phase = .finished  // leaves `run` alone with its storage
    let documents = try engine.read(query.database, at: point) { view in
      run.point = view.point
      let documents = try run.step(view)
      if case .finished = run.phase { try run.end(view) }
      return documents
    }
    self = run
    return documents
  }

  private mutating func step(_ view: DatabaseView) throws -> [Document] {
    guard let number = view.number, left != 0 else {
      phase = .finished
      return []
    }
    switch phase {
    case .planning:
      try plan(view, number)
      return try step(view)
    case .listing(let collections):
      let more = try query.source.collections(behind: collections.last, in: view)
      let all = collections + more
      if more.count < Self.rowsPerStep { begin(all, number) } else { phase = .listing(all) }
      if case .listing = phase { return [] }
      return try step(view)
    case .streaming(var stream):
      phase = .finished
      let documents = try readDocuments(
        &stream, view, isExact: false, isInOrder: query.isInNameOrder)
      phase = stream.isAtEnd || left == 0 ? .finished : .streaming(stream)
      return documents
    case .selecting(var stream, var selection):
      phase = .finished
      try select(&stream, &selection, view)
      if stream.isAtEnd { emit(&selection) } else { phase = .selecting(stream, selection) }
      return stream.isAtEnd ? try step(view) : []
    case .merging(var merge):
      phase = .finished
      guard try prepare(&merge, view) else { return try step(view) }
      let documents = try read(&merge, view)
      phase = merge.isAtEnd || left == 0 ? .finished : .merging(merge)
      return documents
    case .mergingAll(var merge, var selection):
      phase = .finished
      guard try prepare(&merge, view) else { return try step(view) }
      try select(&merge, &selection, view)
      if merge.isAtEnd { emit(&selection) } else { phase = .mergingAll(merge, selection) }
      return merge.isAtEnd ? try step(view) : []
    case .emitting(var entries):
      phase = .finished
      let documents = try take(&entries, view)
      phase = entries.isEmpty ? .finished : .emitting(entries)
      return documents
    case .finished: return []
    }
  }

  // MARK: - Ways

  private mutating func plan(_ view: DatabaseView, _ number: DatabaseNumber) throws {
    let plan = try engine.plan(query, view, needsOrder: needsOrder, required: required)
    switch plan {
    case .nothing: phase = .finished
    case .scan(let missing):
      self.missing = missing
      phase = .listing([])
    case .index(let plan):
      let wanted = left.map { $0.addingReportingOverflow(toSkip) }
      let merge = EntryMerge(
        plan, of: query, in: view, wanted: wanted.flatMap { $0.overflow ? nil : $0.partialValue })
      phase = query.nearest == nil ? .merging(merge) : .mergingAll(merge, Selection(limit: left))
    }
  }

  private mutating func begin(_ collections: [CollectionPath], _ number: DatabaseNumber) {
    let ranges = NameRange.ranges(of: query)
    let segments = collections.flatMap { collection in
      ranges.compactMap { Segment(collection, in: number, $0) }
    }
    let isStreaming =
      query.nearest == nil && (!needsOrder || query.isInNameOrder && query.comesInNameOrder)
    let isDescending = isStreaming && query.nameDirection == .descending
    let stream = SegmentStream(
      segments, isDescending && query.isOfOneCollection ? .descending : .ascending)
    if isStreaming {
      phase = .streaming(stream)
    } else {
      let limit = left.map { $0.addingReportingOverflow(toSkip) }
      let selection = Selection(limit: limit.flatMap { $0.overflow ? nil : $0.partialValue })
      phase = .selecting(stream, selection)
    }
  }

  /// `false` if the indexes can't be used any more; then the rest is found without.
  private mutating func prepare(_ merge: inout EntryMerge, _ view: DatabaseView) throws -> Bool {
    try merge.prepare(view) { try engine.catalog.definitions($0, view.reader) }
    guard merge.isLost else { return true }
    if query.nearest == nil { start = merge.position.map { ($0, merge.plan.order) } }
    phase = .listing([])
    return false
  }

  /// Tells what the query would have been better off with.
  private mutating func end(_ view: DatabaseView) throws(StoreError) {
    guard !missing.isEmpty, let number = view.number else { return }
    defer { missing = [] }
    let isLarge =
      switch query.source {
      case .collection(let path):
        try view.reader.documentCount(.collections, Keys.collection(number, path.segments))
          >= Self.rowsWorthIndex
      case .collections, .group, .descendants: work.rows >= Self.rowsWorthIndex
      }
    let isSorted = needsOrder && !query.isInNameOrder
    let results = isCounting ? 1 : max(1, work.results)
    guard isLarge,
      work.rows >= 10 * results || isSorted && work.results >= Self.resultsWorthIndex
    else { return }
    for shape in missing {
      engine.catalog.demand(
        IndexCatalog.Wish(database: query.database, number: number, shape: shape))
    }
  }

  // MARK: - Steps

  /// `isExact` says that all documents are results, `isInOrder` that all have the fields of the orders.
  private mutating func readDocuments(
    _ source: inout some DocumentSource, _ view: DatabaseView, isExact: Bool, isInOrder: Bool
  ) throws -> [Document] {
    let needsPlace = !isInOrder || !bounds.areOpen
    var documents: [Document] = []
    let rows = work.rows == 0 ? Self.rowsOfFirstStep : Self.rowsPerStep
    var budget = rows
    defer { work.rows += rows - budget }
    var bytes = 0
    while left != 0, bytes < Self.bytesPerPage,
      let document = try source.document(in: view, &budget)
    {
      guard try isExact || matches(document) else { continue }
      if needsPlace {
        guard let key = try query.sortKey(of: document), bounds.contains(key) else { continue }
      }
      work.results += 1
      guard toSkip == 0 else {
        toSkip -= 1
        skipped += 1
        continue
      }
      documents.append(try query.projected(document))
      bytes += document.fields.bytes.count
      left = left.map { $0 - 1 }
    }
    return documents
  }

  /// The same of entries; where each stands for a result, none is looked at to be skipped.
  private mutating func read(
    _ merge: inout EntryMerge, _ view: DatabaseView
  ) throws -> [Document] {
    if merge.plan.isExact, required.isEmpty, toSkip > 0 {
      var budget = Self.rowsPerStep
      let count = try merge.skip(toSkip, in: view, &budget)
      toSkip -= count
      skipped += count
      guard toSkip == 0 else { return [] }
    }
    let isExact = merge.plan.isExact && required.isEmpty
    return try readDocuments(&merge, view, isExact: isExact, isInOrder: needsOrder)
  }

  private mutating func select(
    _ source: inout some DocumentSource, _ selection: inout Selection, _ view: DatabaseView
  ) throws {
    var budget = Self.rowsPerStep
    defer { work.rows += Self.rowsPerStep - budget }
    while let document = try source.document(in: view, &budget) {
      guard try matches(document), let key = try query.sortKey(of: document), bounds.contains(key)
      else { continue }
      work.results += 1
      guard let nearest = query.nearest else {
        selection.offer(key, document)
        continue
      }
      guard let distance = try nearest.distance(of: document) else { continue }
      selection.offer(nearest.sortKey(distance, key), document, distance: distance)
    }
  }

  private mutating func emit(_ selection: inout Selection) {
    let entries = selection.sorted()
    let cut = min(toSkip, entries.count)
    skipped += cut
    toSkip = 0
    let results = entries.dropFirst(cut)
    phase = .emitting((left.map { results.prefix($0) } ?? results).reversed())
  }

  private func take(_ entries: inout [Selection.Entry], _ view: DatabaseView) throws -> [Document] {
    var documents: [Document] = []
    var bytes = 0
    while documents.count < Self.rowsPerStep, bytes < Self.bytesPerPage,
      let entry = entries.popLast()
    {
      guard var document = try entry.document ?? view.document(entry.name.path) else { continue }
      bytes += document.fields.bytes.count
      if let distance = entry.distance, let nearest = query.nearest {
        document = try nearest.telling(distance, in: document)
      }
      documents.append(try query.projected(document))
    }
    return documents
  }

  private func matches(_ document: Document) throws(FirestoreError) -> Bool {
    if let start {
      guard let place = try start.order.place(of: document, query),
        start.order.precedes(start.place, place)
      else { return false }
    }
    for path in required where try document.value(at: path) == nil { return false }
    return try query.filter?.matches(document) ?? true
  }
}

extension Query {
  var isOfOneCollection: Bool {
    switch source {
    case .collection: true
    case .collections, .group, .descendants: false
    }
  }

  /// Whether a scan can bring the documents in the direction of the names.
  fileprivate var comesInNameOrder: Bool {
    isOfOneCollection || orders.last?.direction == .ascending
  }
}

extension Query.Source {
  /// The collections to look into, at most `QueryRun.rowsPerStep`, from the one behind `last` on.
  func collections(
    behind last: CollectionPath?, in view: DatabaseView
  ) throws(StoreError) -> [CollectionPath] {
    let limit = QueryRun.rowsPerStep
    switch self {
    case .collection(let path): return [path]
    case .collections(let parent):
      return try view.childIDs(of: parent?.segments ?? [], behind: last?.id, limit: limit)
        .map { CollectionPath(parent, $0) }
    case .group(let id, let parent):
      return try view.collections(below: parent, called: id, behind: last, limit: limit)
    case .descendants(let parent):
      return try view.collections(below: parent, behind: last, limit: limit)
    }
  }
}
