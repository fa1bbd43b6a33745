package import Coding
package import FirestoreModel
internal import KeyValue
internal import Synchronization

extension Engine {
  /// Empties a database. What it held can't be seen any more when this returns; it is deleted later, by the upkeep.
  package func clear(_ database: DatabaseName) async throws(FirestoreError) {
    _ = try await write { transaction, version -> (old: DatabaseNumber, new: DatabaseRecord)? in
      guard let old = try transaction.record(of: database) else { return nil }
      var new = old
      new.number = try transaction.nextNumber()
      new.incarnation = version
      new.horizon = version
      try transaction.create(new, named: database)
      try transaction.put(.databases, Keys.abandoned(old.number), [])
      try transaction.setVersion(version)
      return (old.number, new)
    } applied: { [self] result, state in
      guard let (old, new) = result else { return nil }
      state.databases[database] = new
      state.historyBytes[old] = nil
      state.abandoned.append(old)
      clearings.add(1, ordering: .releasing)
      try? transactions.withTable { (table, now) in table.endAll(of: database, at: now) }
      return CommitEvent(
        database: database, incarnation: new.incarnation, version: new.incarnation,
        content: .cleared)
    }
    upkeep.wake()
  }

  /// Deletes what is below the path `segments` of a document or collection, and the document itself, in steps.
  package func clear(
    _ database: DatabaseName, below segments: [UTF8String]
  ) async throws(FirestoreError) {
    guard !segments.isEmpty else { return try await clear(database) }
    try transactions.withTable { (table, now) in table.endAll(of: database, at: now) }
    while true {
      let paths = try read(database) { view in
        try view.documents(atOrBelow: segments, limit: 256)
      }
      guard !paths.isEmpty else { return }
      let writes = paths.map { Write(.delete(DocumentName(database: database, path: $0))) }
      try await commit(database, writes)
    }
  }
}

extension DatabaseView {
  /// At most `limit` documents at the path `segments` or below it.
  fileprivate func documents(
    atOrBelow segments: [UTF8String], limit: Int
  ) throws(StoreError) -> [DocumentPath] {
    var paths: [DocumentPath] = []
    if segments.count % 2 == 0 {
      let path = DocumentPath(segments: segments)
      if try document(path) != nil { paths.append(path) }
    }
    let collections = try collections(belowPath: segments, limit: limit)
    for collection in collections where paths.count < limit {
      guard let range = range(of: collection) else { break }
      for row in try scan(range, .ascending, limit: limit - paths.count).rows {
        guard let (_, path) = StorageKey.decode(row.key) else { throw .damaged }
        paths.append(path)
      }
    }
    return paths
  }
}
