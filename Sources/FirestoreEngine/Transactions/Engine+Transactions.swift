package import FirestoreModel
internal import KeyValue
internal import Synchronization

/// What a call of a transaction is about to read.
package enum ReadScope: Sendable {
  case documents([DocumentName])
  case matching(Predicate)
}

extension Engine {
  /// Begins a transaction; its id is good until it ends, or until it was idle or open for too long.
  ///
  /// - Throws: `RESOURCE_EXHAUSTED`, and for a read time what `point` throws.
  package func beginTransaction(
    in database: DatabaseName, _ options: TransactionOptions
  ) async throws(FirestoreError) -> [UInt8] {
    var previous: TransactionID?
    let kind: TransactionTable.Kind
    switch options {
    case .readOnly(let time?): kind = .readOnly(try await point(at: time))
    case .readOnly(nil): kind = .readOnly(try read(database) { $0.point })
    case .readWrite(let retrying, let concurrency):
      if let retrying { previous = try transactions.id(retrying) }
      switch concurrency ?? transactions.settings.concurrency {
      case .pessimistic: kind = .locking
      case .optimistic: kind = .optimistic(nil)
      }
    }
    let incarnation = state.withLock { $0.databases[database]?.incarnation }
    let id = try transactions.withTable { (table, now) throws(FirestoreError) in
      try table.begin(
        kind, in: database, incarnation: incarnation, retrying: previous, at: now)
    }
    if kind == .locking {
      // Commits with a version up to here may not have looked for locks.
      let barrier = clock.newest
      try transactions.withTable { (table, _) in table.entries[id]?.barrier = barrier }
    }
    return id.bytes
  }

  /// Ends a transaction without writes; one that has ended already is fine.
  ///
  /// - Throws: `INVALID_ARGUMENT` for what is no id, or was never given out.
  package func rollback(
    _ transaction: [UInt8], in database: DatabaseName
  ) throws(FirestoreError) {
    let id = try transactions.id(transaction)
    try transactions.withTable { (table, now) throws(FirestoreError) in
      guard table.wasIssued(id) else { throw .transactionExpired }
      guard let entry = table.entries[id] else { return }
      guard entry.database == database, entry.kind != .commit else { throw .transactionExpired }
      guard !entry.isCommitting else { return }
      table.end(id, at: now)
    }
  }

  /// Reads within a transaction: locks what `scope` names, and gives `body` the point to read at, `nil` for now.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the transaction is not open, `ABORTED` if it was ended, `CANCELLED` if the task is cancelled
  ///   while it waits, and what `body` throws.
  package func read<Result>(
    in transaction: [UInt8], of database: DatabaseName, _ scope: ReadScope,
    _ body: (ReadPoint?) async throws(FirestoreError) -> Result
  ) async throws(FirestoreError) -> Result {
    let id = try transactions.id(transaction)
    let entry = try transactions.withTable { (table, now) throws(FirestoreError) in
      try table.enter(id, in: database, at: now)
    }
    defer { transactions.leave(id) }
    switch entry.kind {
    case .readOnly(let point): return try await body(point)
    case .optimistic(let known):
      let point = if let known { known } else { try read(database) { $0.point } }
      return try await body(try note(scope, at: point, in: id))
    case .locking, .commit:
      try await lock(scope, for: id)
      try await seeCommits(upTo: entry.barrier)
      return try await body(nil)
    }
  }

  /// The past moment that all reads of a transaction look at; `nil` if that is now, or if there is no such transaction.
  package func point(of transaction: [UInt8]) -> ReadPoint? {
    guard let id = try? transactions.id(transaction),
      let kind = try? transactions.withTable({ (table, _) in table.entries[id]?.kind })
    else { return nil }
    return switch kind {
    case .readOnly(let point), .optimistic(let point?): point
    case .optimistic(nil), .locking, .commit: nil
    }
  }

  private func lock(
    _ scope: ReadScope, for id: TransactionID
  ) async throws(FirestoreError) {
    let ticket = try transactions.withTable { (table, now) throws(FirestoreError) in
      switch scope {
      case .documents(let names): try table.read(id, names, at: now)
      case .matching(let predicate): try table.query(id, predicate, at: now)
      }
    }
    try await transactions.wait(for: ticket)
  }

  /// Takes down what an optimistic transaction reads; returns the point of all its reads.
  private func note(
    _ scope: ReadScope, at point: ReadPoint, in id: TransactionID
  ) throws(FirestoreError) -> ReadPoint {
    try transactions.withTable { (table, _) throws(FirestoreError) in
      guard var entry = table.entries[id], case .optimistic(let known) = entry.kind else {
        throw .transactionExpired
      }
      entry.kind = .optimistic(known ?? point)
      switch scope {
      case .documents(let names): entry.documents.formUnion(names)
      case .matching(let predicate): entry.queries.append(predicate)
      }
      guard entry.documents.count <= table.settings.mostDocuments,
        entry.queries.count <= table.settings.mostQueries
      else { throw .tooManyLocks }
      table.entries[id] = entry
      return known ?? point
    }
  }

  /// Waits for commits that got their versions before.
  private func seeCommits(upTo version: Int64) async throws(FirestoreError) {
    guard clock.isPending(upTo: version) else { return }
    do {
      try await store.write { _ in }
    } catch {
      throw FirestoreError(thrown: error)
    }
  }
}
