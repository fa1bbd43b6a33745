package import FirestoreModel

extension Engine {
  /// Makes all of `writes` in order, or none.
  ///
  /// - Throws: `INVALID_ARGUMENT`, and what preconditions give: `NOT_FOUND`, `ALREADY_EXISTS`, `FAILED_PRECONDITION`.
  @discardableResult
  package func commit(
    _ database: DatabaseName, _ writes: [Write]
  ) async throws(FirestoreError) -> CommitResult {
    try writes.checkVerifications()
    let outcome = try await run(writes, in: database) { try $0.makeAll($1) }
    var results: [WriteResult] = []
    results.reserveCapacity(outcome.results.count)
    for result in outcome.results { results.append(try result.get()) }
    return CommitResult(
      writeResults: results, commitTime: ReadPoint(version: outcome.version).time)
  }

  /// Makes `write`, an update, and gives the document that it left.
  ///
  /// - Throws: as `commit`.
  package func update(_ write: Write) async throws(FirestoreError) -> Document {
    let outcome = try await run([write], in: write.name.database) { try $0.makeAll($1) }
    guard let document = outcome.documents.first ?? nil else {
      throw FirestoreError(.internalError, "An internal error occurred.")
    }
    return document.document(named: write.name)
  }

  /// Makes each of `writes` whose precondition holds; they must be for different documents.
  ///
  /// - Throws: `INVALID_ARGUMENT` if any of them can't be made whatever the documents are; then none is made.
  package func commitEach(
    _ database: DatabaseName, _ writes: [Write]
  ) async throws(FirestoreError) -> [Result<WriteResult, FirestoreError>] {
    guard Set(writes.map(\.name)).count == writes.count else {
      throw .invalidArgument(
        "the same document cannot be written more than once in a single request")
    }
    return try await run(writes, in: database) { try $0.makeEach($1) }.results
  }

  private static let transformsPerDocument = 500

  private static func checkTransforms(_ writes: [Write]) throws(FirestoreError) {
    guard writes.reduce(0, { $0 + $1.transforms.count }) > transformsPerDocument else { return }
    var counts: [DocumentName: Int] = [:]
    for write in writes where !write.transforms.isEmpty {
      counts[write.name, default: 0] += write.transforms.count
      guard counts[write.name, default: 0] <= transformsPerDocument else {
        throw .invalidArgument(
          "A commit may not have more than \(transformsPerDocument) transforms of one document.")
      }
    }
  }

  private func run(
    _ writes: [Write], in database: DatabaseName,
    _ make: @escaping @Sendable (inout CommitRun, [PreparedWrite]) throws -> CommitRun.Outcome
  ) async throws(FirestoreError) -> CommitRun.Outcome {
    try Self.checkTransforms(writes)
    var prepared: [PreparedWrite] = []
    prepared.reserveCapacity(writes.count)
    for write in writes { prepared.append(try PreparedWrite(write, in: database)) }
    let outcome = try await write { [prepared] transaction, version in
      var run = try CommitRun(transaction, database: database, version: version)
      return try make(&run, prepared)
    } applied: { outcome, state in
      if let record = outcome.createdDatabase { state.databases[database] = record }
      state.historyBytes[outcome.number, default: 0] += outcome.historyBytes
      return outcome.event
    }
    if outcome.event != nil { upkeep.wake() }
    return outcome
  }
}
