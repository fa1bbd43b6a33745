package import FirestoreModel
internal import KeyValue

extension Engine {
  /// Makes all of `writes` in order, or none, and ends `transaction`. `review` may refuse them before preconditions are looked at. The transaction stays open if the writes could not be made
  /// whatever the documents are, or if the task is cancelled while it waits.
  ///
  /// - Throws: `INVALID_ARGUMENT`, `ABORTED`, and what preconditions give: `NOT_FOUND`, `ALREADY_EXISTS`, `FAILED_PRECONDITION`.
  @discardableResult
  package func commit(
    _ database: DatabaseName, _ writes: [Write], transaction: [UInt8]? = nil,
    review: CommitReview? = nil
  ) async throws(FirestoreError) -> CommitResult {
    try writes.checkVerifications()
    guard !writes.isEmpty else {
      if let transaction { try end(transaction, in: database) }
      let ticket = clock.ticket()
      defer { clock.end(ticket) }
      let version = clock.version(for: ticket, above: 0)
      return CommitResult(writeResults: [], commitTime: ReadPoint(version: version).time)
    }
    let outcome =
      if let transaction {
        try await run(writes, in: database, ending: transaction, review)
      } else {
        try await run(writes, in: database, review)
      }
    var results: [WriteResult] = []
    results.reserveCapacity(outcome.results.count)
    for result in outcome.results { results.append(try result.get()) }
    return CommitResult(
      writeResults: results, commitTime: ReadPoint(version: outcome.version).time)
  }

  /// Makes `write`, an update, and gives the document that it left.
  ///
  /// - Throws: as `commit`.
  package func update(
    _ write: Write, review: CommitReview? = nil
  ) async throws(FirestoreError) -> Document {
    let outcome = try await run([write], in: write.name.database, review)
    guard let document = outcome.documents.first ?? nil else {
      throw FirestoreError(.internalError, "An internal error occurred.")
    }
    return document.document(named: write.name)
  }

  /// Makes each of `writes` whose precondition holds; they must be for different documents. While transactions are open each is
  /// a commit of its own, so that one that has to wait does not hold up the others.
  ///
  /// - Throws: `INVALID_ARGUMENT` if any of them can't be made whatever the documents are; then none is made.
  package func commitEach(
    _ database: DatabaseName, _ writes: [Write]
  ) async throws(FirestoreError) -> [Result<WriteResult, FirestoreError>] {
    guard Set(writes.map(\.name)).count == writes.count else {
      throw .invalidArgument(
        "the same document cannot be written more than once in a single request")
    }
    let prepared = try prepare(writes, in: database)
    if let outcome = try await runUnlocked(
      prepared, in: database, nil, { try $0.makeEach($1, $2) })
    {
      return outcome.results
    }
    return await withTaskGroup { group in
      for (index, write) in prepared.enumerated() {
        // Each write waits for its own locks: one that is held up does not hold up the others.
        group.addTask {
          do throws(FirestoreError) {
            let outcome = try await self.runLocked([write], in: database, nil, nil)
            return (index, outcome.results[0])
          } catch {
            return (index, .failure(error))
          }
        }
      }
      var results: [Int: Result<WriteResult, FirestoreError>] = [:]
      for await (index, result) in group { results[index] = result }
      return prepared.indices.compactMap { results[$0] }
    }
  }

  // MARK: - Checks

  private static func checkTransforms(_ writes: [Write]) throws(FirestoreError) {
    let count = writes.reduce(0) { $0 + $1.transforms.count }
    guard count > Limits.transformsPerDocument else { return }
    var counts: [DocumentName: Int] = [:]
    for write in writes where !write.transforms.isEmpty {
      counts[write.name, default: 0] += write.transforms.count
      guard counts[write.name, default: 0] <= Limits.transformsPerDocument else {
        throw .invalidArgument(
          "A commit may not have more than \(Limits.transformsPerDocument) transforms of one document."
        )
      }
    }
  }

  private func prepare(
    _ writes: [Write], in database: DatabaseName
  ) throws(FirestoreError) -> [PreparedWrite] {
    if limitsWrites { try Self.checkTransforms(writes) }
    var prepared: [PreparedWrite] = []
    prepared.reserveCapacity(writes.count)
    var size = 0
    for write in writes {
      let next = try PreparedWrite(write, in: database, checksLimits: limitsWrites)
      size += next.size
      prepared.append(next)
    }
    guard size <= Limits.commitBytes || !limitsWrites else {
      throw .invalidArgument("Transaction too big. Decrease transaction size.")
    }
    return prepared
  }

  // MARK: - Ways into the store

  private typealias Make =
    @Sendable (inout CommitRun, [PreparedWrite], CommitRun.Admission) throws -> CommitRun.Outcome?

  /// A commit outside of transactions.
  private func run(
    _ writes: [Write], in database: DatabaseName, _ review: CommitReview?
  ) async throws(FirestoreError) -> CommitRun.Outcome {
    let prepared = try prepare(writes, in: database)
    if let outcome = try await runUnlocked(
      prepared, in: database, review, { try $0.makeAll($1, $2) })
    {
      return outcome
    }
    return try await runLocked(prepared, in: database, nil, review)
  }

  /// The commit of a transaction, which it ends.
  private func run(
    _ writes: [Write], in database: DatabaseName, ending bytes: [UInt8],
    _ review: CommitReview?
  ) async throws(FirestoreError) -> CommitRun.Outcome {
    let id = try transactions.id(bytes)
    let prepared = try prepare(writes, in: database)
    let entry = try transactions.withTable { (table, now) throws(FirestoreError) in
      try table.enter(id, in: database, at: now)
    }
    defer { transactions.leave(id) }
    if case .readOnly = entry.kind {
      throw .invalidArgument("Cannot modify entities in a read-only transaction.")
    }
    return try await runLocked(prepared, in: database, (id, entry), review)
  }

  /// The commit of a transaction that writes nothing.
  private func end(
    _ bytes: [UInt8], in database: DatabaseName
  ) throws(FirestoreError) {
    let id = try transactions.id(bytes)
    try transactions.withTable { (table, now) throws(FirestoreError) in
      _ = try table.enter(id, in: database, at: now)
      table.end(id, at: now)
    }
  }

  /// Makes `writes` unless there may be locks; then `nil`.
  private func runUnlocked(
    _ writes: [PreparedWrite], in database: DatabaseName, _ review: CommitReview?,
    _ make: @escaping Make
  ) async throws(FirestoreError) -> CommitRun.Outcome? {
    guard !transactions.hasLocks else { return nil }
    return try await apply(writes, in: database) { [transactions] run in
      // Again, now that the version can be seen: what begins later waits for this commit.
      guard !transactions.hasLocks else { return nil }
      if let review { try run.rehearse(writes, for: review) }
      return try make(&run, writes) { _ in true }
    }
  }

  /// Waits for the locks of what is written, and makes `writes`.
  private func runLocked(
    _ writes: [PreparedWrite], in database: DatabaseName,
    _ transaction: (id: TransactionID, entry: TransactionTable.Entry)?, _ review: CommitReview?
  ) async throws(FirestoreError) -> CommitRun.Outcome {
    let (id, entry) = (transaction?.id, transaction?.entry)
    let names = Set(writes.lazy.filter(\.isChange).map(\.name))
    let ticket = try transactions.withTable { (table, now) throws(FirestoreError) in
      try table.write(id, in: database, names, at: now)
    }
    do throws(FirestoreError) {
      while true {
        try await transactions.wait(for: ticket)
        var known: [UInt8]?
        if let entry { known = try await validate(entry, in: database) }
        let outcome = try await apply(writes, in: database) { [self, known] run in
          if let entry { try run.validate(entry, from: known) }
          if let review { try run.rehearse(writes, for: review) }
          return try run.makeAll(writes) { [self] changes in try admits(ticket, changes) }
        }
        guard let outcome else { continue }
        transactions.finish(ticket, of: id, written: names)
        return outcome
      }
    } catch {
      transactions.finish(ticket, of: error.code == .cancelled ? nil : id, written: [])
      throw error
    }
  }

  private func admits(
    _ ticket: Transactions.Ticket, _ changes: [DocumentChange]
  ) throws(FirestoreError) -> Bool {
    try transactions.withTable { (table, now) in table.admits(ticket, changes, at: now) }
  }

  private func apply(
    _ writes: [PreparedWrite], in database: DatabaseName,
    _ make: @escaping @Sendable (inout CommitRun) throws -> CommitRun.Outcome?
  ) async throws(FirestoreError) -> CommitRun.Outcome? {
    let outcome = try await write {
      [catalog, limitsWrites] transaction, version -> CommitRun.Outcome? in
      var run = try CommitRun(
        transaction, catalog, database: database, version: version, checksLimits: limitsWrites)
      return try make(&run)
    } applied: { outcome, state in
      guard let outcome else { return nil }
      if let record = outcome.createdDatabase { state.databases[database] = record }
      state.historyBytes[outcome.number, default: 0] += outcome.historyBytes
      return outcome.event
    }
    if outcome?.event != nil { upkeep.wake() }
    return outcome
  }
}
