package import FirestoreModel
internal import KeyValue

/// A query that is being answered, page by page and all at one point.
///
/// A page takes at most `rowsPerStep` rows at a time and gives way to other work in between. Where the order is that of names,
/// results go out as they are found; otherwise all documents are looked at first, and those that count are kept.
package struct QueryRun: Sendable {
  package struct Page: Sendable {
    /// In the order of the query, with the fields that it asks for.
    package var documents: [Document]
    /// How many results the offset skipped; told once, with or before the first document.
    package var skipped: Int
  }

  private enum Phase: Sendable {
    case listing([CollectionPath])
    case streaming(SegmentStream)
    case selecting(SegmentStream, Selection)
    /// The entries still to go out, the next one last.
    case emitting([Selection.Entry])
    case finished
  }

  static let rowsPerStep = 256
  /// Bytes of fields, about.
  private static let bytesPerPage = 1 << 20

  package let query: Query
  /// The moment that the answer shows; known once the first page was asked for.
  package private(set) var point: ReadPoint?
  private let engine: Engine
  /// Documents without these are left out.
  private let required: [FieldPath]
  private let isStreaming: Bool
  private let lowerBound: SortKey?
  private let upperBound: SortKey?
  private var phase = Phase.listing([])
  private var toSkip: Int
  private var skipped = 0
  private var left: Int?
  private var isFirstStep = true

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
    self.lowerBound = query.lowerBound
    self.upperBound = query.upperBound
    self.toSkip = query.offset
    self.left = query.nearest?.limit ?? query.limit
    let needsOrder = isOrdered || query.offset > 0 || query.limit != nil
    self.isStreaming =
      query.nearest == nil && (!needsOrder || query.isInNameOrder && query.comesInNameOrder)
  }

  /// The next page; `nil` at the end.
  ///
  /// - Throws: `CANCELLED` in a task that was cancelled, `UNAVAILABLE`, `DATA_LOSS`, and `FAILED_PRECONDITION` if the point is too
  ///   old meanwhile.
  package mutating func next() async throws(FirestoreError) -> Page? {
    while true {
      if case .finished = phase, !isFirstStep { return nil }
      if isFirstStep {
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
      return try run.step(view)
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
    case .listing(let collections):
      let more = try query.source.collections(behind: collections.last, in: view)
      let all = collections + more
      if more.count < Self.rowsPerStep { begin(all, number) } else { phase = .listing(all) }
      if case .listing = phase { return [] }
      return try step(view)
    case .streaming(var stream):
      phase = .finished
      let documents = try read(&stream, view)
      phase = stream.isAtEnd || left == 0 ? .finished : .streaming(stream)
      return documents
    case .selecting(var stream, var selection):
      phase = .finished
      try select(&stream, &selection, view)
      if stream.isAtEnd { emit(selection.sorted()) } else { phase = .selecting(stream, selection) }
      return stream.isAtEnd ? try step(view) : []
    case .emitting(var entries):
      phase = .finished
      let documents = try take(&entries, view)
      phase = entries.isEmpty ? .finished : .emitting(entries)
      return documents
    case .finished: return []
    }
  }

  private mutating func begin(_ collections: [CollectionPath], _ number: DatabaseNumber) {
    let ranges = NameRange.ranges(of: query)
    let segments = collections.flatMap { collection in
      ranges.compactMap { Segment(collection, in: number, $0) }
    }
    let isDescending = isStreaming && query.orders.last?.direction == .descending
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

  // MARK: - Steps

  private mutating func read(
    _ stream: inout SegmentStream, _ view: DatabaseView
  ) throws -> [Document] {
    var documents: [Document] = []
    var budget = Self.rowsPerStep
    var bytes = 0
    while left != 0, bytes < Self.bytesPerPage,
      let document = try stream.document(in: view, &budget)
    {
      guard try matches(document) else { continue }
      if !query.isInNameOrder || lowerBound != nil || upperBound != nil {
        guard let key = try query.sortKey(of: document), isInBounds(key) else { continue }
      }
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

  private func select(
    _ stream: inout SegmentStream, _ selection: inout Selection, _ view: DatabaseView
  ) throws {
    var budget = Self.rowsPerStep
    while let document = try stream.document(in: view, &budget) {
      guard try matches(document), let key = try query.sortKey(of: document), isInBounds(key)
      else { continue }
      guard let nearest = query.nearest else {
        selection.offer(key, document)
        continue
      }
      guard let distance = try nearest.distance(of: document) else { continue }
      selection.offer(nearest.sortKey(distance, key), document, distance: distance)
    }
  }

  private mutating func emit(_ entries: [Selection.Entry]) {
    skipped = min(toSkip, entries.count)
    toSkip = 0
    let results = entries.dropFirst(skipped)
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
    for path in required where try document.value(at: path) == nil { return false }
    return try query.filter?.matches(document) ?? true
  }

  private func isInBounds(_ key: SortKey) -> Bool {
    (lowerBound.map { !(key < $0) } ?? true) && (upperBound.map { key < $0 } ?? true)
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
