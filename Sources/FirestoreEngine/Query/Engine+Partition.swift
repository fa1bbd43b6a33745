package import FirestoreModel
internal import KeyValue

extension Engine {
  /// Fewer documents than these are not worth a part of their own: two parts of 128 and one of 127 are cut, as in production.
  private static let smallestPart = 127
  /// Keys that are passed over in one step.
  private static let keysPerStep = 4_096

  /// At most `count` documents that cut the results of `query`, which is in the order of names, into parts of about the same
  /// size; in that order.
  package func partition(
    _ query: Query, into count: Int
  ) async throws(FirestoreError) -> [DocumentPath] {
    var collections: [CollectionPath] = []
    var sizes: [Int] = []
    while true {
      let more = try read(query.database) { view in
        let paths = try query.source.collections(behind: collections.last, in: view)
        for path in paths { sizes.append(try view.documentCount(in: path)) }
        return paths
      }
      collections += more
      guard more.count == QueryRun.rowsPerStep else { break }
      await Task.yield()
    }
    let total = sizes.reduce(0, +)
    let parts = min(count, total / Self.smallestPart - 1) + 1
    var points: [DocumentPath] = []
    var next = 1
    var passed = 0
    for (collection, size) in zip(collections, sizes) {
      var places: [Int] = []
      while next < parts, next * total / parts < passed + size {
        places.append(next * total / parts - passed)
        next += 1
      }
      points += try await documents(of: collection, at: places, in: query.database)
      passed += size
    }
    return points.filter(query.reaches).sorted { DocumentPath.compare($0, $1) == .ascending }
  }

  /// The documents of a collection at `places`, which ascend, in its order; as many as there are.
  private func documents(
    of collection: CollectionPath, at places: [Int], in database: DatabaseName
  ) async throws(FirestoreError) -> [DocumentPath] {
    var paths: [DocumentPath] = []
    var rest = places[...]
    var passed = 0
    var lower: [UInt8] = []
    while let place = rest.first {
      let offset = min(place - passed, Self.keysPerStep)
      let key = try read(database) { view -> [UInt8]? in
        guard var range = view.range(of: collection) else { return nil }
        if range.lower.lexicographicallyPrecedes(lower) { range.lower = lower }
        return try view.reader.key(.documents, range, behind: offset)
      }
      guard let key else { break }
      passed += offset
      lower = key
      if passed == place {
        rest = rest.dropFirst()
        if let (_, path) = StorageKey.decode(key) { paths.append(path) }
      }
      await Task.yield()
    }
    return paths
  }
}

extension Query {
  /// Whether the document at `path` lies between the cursors, in the order of names.
  fileprivate func reaches(_ path: DocumentPath) -> Bool {
    var key = SortKey()
    key.append(path, nameDirection)
    return (lowerBound.map { !(key < $0) } ?? true) && (upperBound.map { key < $0 } ?? true)
  }
}
