package import Coding
package import FirestoreModel
package import KeyValue

// Which collections there are. They are known from their counts, which hold for now; a past view corrects them by the
// documents that were changed behind its point.

extension DatabaseView {
  /// The number of documents of `collection`.
  package func documentCount(in collection: CollectionPath) throws(StoreError) -> Int {
    guard let number else { return 0 }
    let count = try reader.documentCount(
      .collections, Keys.collection(number, collection.segments))
    return isPast ? count + (try countsAtPoint()[collection] ?? 0) : count
  }

  /// The ids that follow the path `segments` in the names of documents, from the one behind `id` on, in order: of a document's
  /// path (or the root) the ids of its collections, of a collection's path the ids of documents, missing or not, that have
  /// documents below them.
  package func childIDs(
    of segments: [UTF8String], behind id: UTF8String? = nil, limit: Int
  ) throws(StoreError) -> [UTF8String] {
    guard let number else { return [] }
    let counts = try keyedCountsAtPoint { Keys.collection(number, $0.segments) }
    let prefix = Keys.collection(number, segments)
    let end = KeyPrefix.end(of: prefix)
    var lower: [UInt8]? =
      id.map { KeyPrefix.end(of: Keys.collection(number, segments + [$0])) }
      ?? KeyPrefix.next(after: prefix)
    var ids: [UTF8String] = []
    while ids.count < limit, let from = lower {
      let found = try keys(.collections, KeyRange(from: from, to: end), counts, limit: 1)
      guard let key = found.first else { break }
      guard let path = NameKey.decode(key, from: StorageKey.database(number).count),
        path.count > segments.count
      else { throw .damaged }
      ids.append(path[segments.count])
      lower = KeyPrefix.end(of: Keys.collection(number, Array(path[...segments.count])))
    }
    return ids
  }

  /// The collections below `parent`, or below the root, at any depth, that hold documents; those called `id`, if there is
  /// one. They come in the order of their paths, at most `limit`, from the one behind `collection` on.
  package func collections(
    below parent: DocumentPath?, called id: UTF8String? = nil,
    behind collection: CollectionPath? = nil, limit: Int
  ) throws(StoreError) -> [CollectionPath] {
    try collections(
      belowPath: parent?.segments ?? [], called: id, behind: collection, limit: limit)
  }

  /// The same below a path of either kind; a collection is below itself.
  func collections(
    belowPath parent: [UTF8String], called id: UTF8String? = nil,
    behind collection: CollectionPath? = nil, limit: Int
  ) throws(StoreError) -> [CollectionPath] {
    guard let number else { return [] }
    let space: Space = id == nil ? .collections : .groups
    let start = id.map { Keys.group(number, id: $0) } ?? StorageKey.database(number)
    let key = { (path: CollectionPath) in
      id == nil ? Keys.collection(number, path.segments) : Keys.group(number, path)
    }
    var prefix = KeyWriter(start)
    prefix.path(parent)
    var range = KeyRange(prefix: prefix.bytes)
    if let collection { range.lower = KeyPrefix.next(after: key(collection)) }
    var paths: [CollectionPath] = []
    for key in try keys(space, range, keyedCountsAtPoint(key), limit: limit) {
      guard let segments = NameKey.decode(key, from: start.count) else { throw .damaged }
      let whole = segments + (id.map { [$0] } ?? [])
      guard whole.count % 2 == 1 else { throw .damaged }
      paths.append(CollectionPath(segments: whole))
    }
    return paths
  }

  /// At most `limit` keys of `range` whose count at the point is not 0. `counts` is what to add to the counts of now.
  private func keys(
    _ space: Space, _ range: KeyRange, _ counts: [[UInt8]: Int], limit: Int
  ) throws(StoreError) -> [[UInt8]] {
    guard !counts.isEmpty else {
      return try reader.scan(space, range, .ascending, limit: limit).map(\.key)
    }
    var result: [[UInt8]] = []
    var rest = range
    while true {
      let pairs = try reader.scan(space, rest, .ascending, limit: limit)
      let end = pairs.count < limit ? nil : pairs.last.map { KeyPrefix.next(after: $0.key) }
      let part = KeyRange(from: rest.lower, to: end ?? rest.upper)
      var found = Set(counts.lazy.filter { $0.value > 0 && part.contains($0.key) }.map(\.key))
      for pair in pairs {
        let count = try Keys.documentCount(pair.value) + (counts[pair.key] ?? 0)
        if count > 0 { found.insert(pair.key) } else { found.remove(pair.key) }
      }
      result += found.sorted { $0.lexicographicallyPrecedes($1) }
      guard result.count < limit, let end else { return Array(result.prefix(limit)) }
      rest.lower = end
    }
  }

  private func keyedCountsAtPoint(
    _ key: (CollectionPath) -> [UInt8]
  ) throws(StoreError) -> [[UInt8]: Int] {
    guard isPast else { return [:] }
    var counts: [[UInt8]: Int] = [:]
    for (path, count) in try countsAtPoint() { counts[key(path)] = count }
    return counts
  }

  /// What to add to the counts of now to get those at the point, for each collection with changes behind it.
  private func countsAtPoint() throws(StoreError) -> [CollectionPath: Int] {
    guard let number else { return [:] }
    let prefix = KeyRange(prefix: StorageKey.database(number))
    let range = KeyRange(
      from: Keys.changes(number, from: point.version + 1), to: prefix.upper)
    var seen: Set<[UInt8]> = []
    var counts: [CollectionPath: Int] = [:]
    try reader.forEach(.changes, range) { pair throws(StoreError) in
      let key = try ChangeEntry(pair).documentKey
      guard seen.insert(key).inserted, case .was(let record) = try stateBefore(key) else { return }
      guard let (_, path) = StorageKey.decode(key) else { throw .damaged }
      let isThere = try reader.get(.documents, key) != nil
      guard isThere != (record != nil) else { return }
      counts[path.collection, default: 0] += isThere ? -1 : 1
    }
    return counts
  }
}

extension KeyRange {
  fileprivate func contains(_ key: [UInt8]) -> Bool {
    guard !key.lexicographicallyPrecedes(lower) else { return false }
    return upper.map(key.lexicographicallyPrecedes) ?? true
  }
}
