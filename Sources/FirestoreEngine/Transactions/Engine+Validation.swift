internal import FirestoreModel
internal import KeyValue

// What a commit checks of its transaction beside the locks: that the database was not cleared, and that nothing that an
// optimistic transaction has read has changed.

extension Engine {
  /// Looks through the changes since the transaction's point while others can commit; returns where the rest of them begins.
  ///
  /// - Throws: `ABORTED`.
  func validate(
    _ entry: TransactionTable.Entry, in database: DatabaseName
  ) async throws(FirestoreError) -> [UInt8]? {
    guard case .optimistic(let point?) = entry.kind else { return nil }
    var known: [UInt8]?
    while true {
      let (next, isDone) = try read(database) { view in
        try view.looking(back: point).validate(entry, from: known, pages: 1)
      }
      known = next
      if isDone { return known }
      await Task.yield()
    }
  }
}

extension CommitRun {
  /// - Throws: `ABORTED`.
  func validate(_ entry: TransactionTable.Entry, from known: [UInt8]?) throws {
    let view = view(at: ReadPoint(version: 0))
    if let incarnation = entry.incarnation, view.record?.incarnation != incarnation {
      throw FirestoreError.databaseCleared
    }
    guard case .optimistic(let point?) = entry.kind else { return }
    _ = try view.looking(back: point).validate(entry, from: known, pages: .max)
  }
}

extension DatabaseView {
  /// The same state, compared with that at `point`.
  func looking(back point: ReadPoint) -> DatabaseView {
    DatabaseView(
      database: database, point: point, reader: reader, record: record, isPast: true)
  }

  /// Looks through changes since `point`, that of the transaction, from the key `known` on, and returns where that ended.
  ///
  /// - Throws: `ABORTED` if a change concerns what was read, or can no longer be told.
  func validate(
    _ entry: TransactionTable.Entry, from known: [UInt8]?, pages: Int
  ) throws -> (known: [UInt8]?, isDone: Bool) {
    guard let record else { return (known, true) }
    guard record.horizon <= point.version else { throw FirestoreError.contention }
    for name in entry.documents {
      if case .was = try stateBefore(StorageKey.document(record.number, name.path)) {
        throw FirestoreError.contention
      }
    }
    guard !entry.queries.isEmpty else { return (known, true) }
    var range = KeyRange(
      from: known ?? Keys.changes(record.number, from: point.version + 1),
      to: KeyRange(prefix: StorageKey.database(record.number)).upper)
    var left = pages
    while left > 0 {
      let pairs = try reader.scan(.changes, range, .ascending, limit: 256)
      for pair in pairs { try check(ChangeEntry(pair).documentKey, against: entry.queries) }
      if let last = pairs.last { range.lower = KeyPrefix.next(after: last.key) }
      guard pairs.count == 256 else { return (range.lower, true) }
      left -= 1
    }
    return (range.lower, false)
  }

  private func check(_ key: [UInt8], against queries: [Predicate]) throws {
    guard case .was(let before) = try stateBefore(key) else { return }
    guard let (_, path) = StorageKey.decode(key) else { throw StoreError.damaged }
    let after = try reader.get(.documents, key).map(DocumentRecord.init(decoding:))
    guard before?.updateVersion != after?.updateVersion else { return }
    let change = DocumentChange(path: path, before: before, after: after)
    guard !queries.contains(where: { $0.matches(change, in: database) }) else {
      throw FirestoreError.contention
    }
  }
}
