internal import Coding
package import FirestoreModel
internal import KeyValue

extension Engine {
  /// At most `limit` entries of `listing`, from `position` on.
  package func list(
    _ listing: DocumentListing, from position: DocumentListing.Position?, limit: Int,
    at point: ReadPoint?
  ) async throws(FirestoreError) -> DocumentListing.Page {
    var walk = Walk(engine: self, database: listing.database, point: point)
    var name: DocumentPath?
    var values: [UInt8]?
    switch position {
    case nil: break
    case .name(let path): name = path
    case .values(let key): values = key
    }
    switch (listing.nameIsDescending, listing.collectionID) {
    case (let isDescending?, let id?):
      return try await walk.list(listing, id, isDescending, behind: name, limit: limit)
    case (false, nil):
      return try await walk.listAll(listing, behind: name, limit: limit)
    case (true, nil), (nil, _):
      return try await walk.sort(listing, behind: values, limit: limit)
    }
  }
}

/// Reads of many steps, all at one point.
private struct Walk {
  let engine: Engine
  let database: DatabaseName
  private(set) var point: ReadPoint?

  init(engine: Engine, database: DatabaseName, point: ReadPoint?) {
    self.engine = engine
    self.database = database
    self.point = point
  }

  private static let step = 256

  /// One step; the first of them settles the point.
  private mutating func read<Result>(
    _ body: (DatabaseView) throws -> Result
  ) throws(FirestoreError) -> Result {
    let (result, point) = try engine.read(database, at: point) { (try body($0), $0.point) }
    self.point = point
    return result
  }

  /// The documents of one collection in the order of their names.
  mutating func list(
    _ listing: DocumentListing, _ id: UTF8String, _ isDescending: Bool,
    behind start: DocumentPath?, limit: Int
  ) async throws(FirestoreError) -> DocumentListing.Page {
    let collection = CollectionPath(listing.parent.document, id)
    let documents = try await documents(
      of: collection, isDescending ? .descending : .ascending, behind: start, limit: limit)
    guard listing.showsMissing else {
      return page(documents.map(DocumentListing.Entry.document), limit: limit)
    }
    let behind = start?.collection == collection ? start?.id : nil
    let present = Set(documents.map(\.name.path.id))
    let missing = try read { view in
      try view.childIDs(of: collection.segments, behind: behind, limit: limit)
        .filter { !present.contains($0) }.map { id in
          let path = DocumentPath(collection, id)
          return DocumentListing.Entry.missing(
            DocumentName(database: view.database, path: path),
            deleteTime: try view.lastChange(of: path))
        }
    }
    let entries = (documents.map(DocumentListing.Entry.document) + missing).sorted {
      DocumentPath.compare($0.name.path, $1.name.path) == .ascending
    }
    return page(entries, limit: limit)
  }

  /// The documents of all collections of the parent in the order of their names.
  mutating func listAll(
    _ listing: DocumentListing, behind start: DocumentPath?, limit: Int
  ) async throws(FirestoreError) -> DocumentListing.Page {
    let parent = listing.parent.document?.segments ?? []
    var documents: [Document] = []
    var id = start?.collection.id
    if let start, let id {
      documents = try await self.documents(
        of: CollectionPath(listing.parent.document, id), .ascending, behind: start,
        limit: limit)
    }
    while documents.count < limit {
      let last = id
      id = try read { try $0.childIDs(of: parent, behind: last, limit: 1).first }
      guard let id else { break }
      documents += try await self.documents(
        of: CollectionPath(listing.parent.document, id), .ascending, behind: nil,
        limit: limit - documents.count)
    }
    return page(documents.map(DocumentListing.Entry.document), limit: limit)
  }

  /// Looks at all documents and keeps those that come first.
  mutating func sort(
    _ listing: DocumentListing, behind start: [UInt8]?, limit: Int
  ) async throws(FirestoreError) -> DocumentListing.Page {
    var best: [(key: [UInt8], document: Document)] = []
    var id = listing.collectionID
    let parent = listing.parent.document?.segments ?? []
    if id == nil { id = try read { try $0.childIDs(of: parent, limit: 1).first } }
    while let collectionID = id {
      let collection = CollectionPath(listing.parent.document, collectionID)
      var rest = try read { $0.range(of: collection) }
      while let range = rest {
        let (documents, more) = try read { view in
          let page = try view.scan(range, .ascending, limit: Self.step)
          return (try page.rows.map { try view.document($0) }, page.rest)
        }
        for document in documents {
          guard let key = try listing.sortKey(of: document),
            start?.lexicographicallyPrecedes(key) ?? true
          else { continue }
          let index = best.partitioningIndex { key.lexicographicallyPrecedes($0.key) }
          guard index < limit else { continue }
          best.insert((key, document), at: index)
          if best.count > limit { best.removeLast() }
        }
        rest = more
        await Task.yield()
      }
      guard listing.collectionID == nil else { break }
      id = try read { try $0.childIDs(of: parent, behind: collectionID, limit: 1).first }
    }
    return DocumentListing.Page(
      entries: best.map { .document($0.document) },
      end: best.count == limit ? best.last.map { .values($0.key) } : nil)
  }

  private mutating func documents(
    of collection: CollectionPath, _ direction: ScanDirection, behind start: DocumentPath?,
    limit: Int
  ) async throws(FirestoreError) -> [Document] {
    var rest: KeyRange? = try read { view in
      guard let number = view.number, var range = view.range(of: collection) else { return nil }
      guard let start else { return range }
      let key = StorageKey.document(number, start)
      switch direction {
      case .ascending:
        let lower = KeyPrefix.next(after: key)
        if range.lower.lexicographicallyPrecedes(lower) { range.lower = lower }
      case .descending:
        if range.upper.map(key.lexicographicallyPrecedes) ?? true { range.upper = key }
      }
      return range.isEmpty ? nil : range
    }
    var documents: [Document] = []
    while documents.count < limit, let range = rest {
      let step = min(Self.step, limit - documents.count)
      let (found, more) = try read { view in
        let page = try view.scan(range, direction, limit: step)
        return (try page.rows.map { try view.document($0) }, page.rest)
      }
      documents += found
      rest = more
      if more != nil { await Task.yield() }
    }
    return Array(documents.prefix(limit))
  }

  private func page(_ entries: [DocumentListing.Entry], limit: Int) -> DocumentListing.Page {
    let kept = Array(entries.prefix(limit))
    return DocumentListing.Page(
      entries: kept, end: kept.count == limit ? kept.last.map { .name($0.name.path) } : nil)
  }
}

extension KeyRange {
  var isEmpty: Bool { upper.map { !lower.lexicographicallyPrecedes($0) } ?? false }
}

extension Array {
  /// The index of the first element for which `isBehind` holds; elements are sorted so that it holds for none before.
  fileprivate func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
