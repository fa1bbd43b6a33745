internal import FirestoreEngine
package import FirestoreModel

extension FirestoreOperations {
  /// BeginTransaction; gives the id.
  ///
  /// - Throws: `INVALID_ARGUMENT`, `FAILED_PRECONDITION`, `RESOURCE_EXHAUSTED`.
  package func beginTransaction(
    _ database: DatabaseName, options: TransactionOptions, as principal: Principal
  ) async throws(FirestoreError) -> [UInt8] {
    try expectedProject?.note(database.project)
    return try await engine.beginTransaction(in: database, options)
  }

  /// Rollback; a transaction that has ended already is fine.
  ///
  /// - Throws: `INVALID_ARGUMENT`.
  package func rollback(
    _ database: DatabaseName, transaction: [UInt8], as principal: Principal
  ) throws(FirestoreError) {
    try engine.rollback(transaction, in: database)
  }

  /// Calls `body` with the point to read at, `nil` for now, and the id of the transaction that the read began, if it did. What
  /// `scope` names is locked before, where the transaction locks.
  func read<Result>(
    _ database: DatabaseName, _ consistency: ReadConsistency, _ scope: ReadScope,
    _ body: (ReadPoint?, _ began: [UInt8]?) async throws(FirestoreError) -> Result
  ) async throws(FirestoreError) -> Result {
    switch consistency {
    case .latest: return try await body(nil, nil)
    case .readTime(let time): return try await body(try await engine.point(at: time), nil)
    case .transaction(let id):
      return try await engine.read(in: id, of: database, scope) {
        (point) async throws(FirestoreError) in try await body(point, nil)
      }
    case .newTransaction(let options):
      let id = try await engine.beginTransaction(in: database, options)
      do throws(FirestoreError) {
        return try await engine.read(in: id, of: database, scope) {
          (point) async throws(FirestoreError) in try await body(point, id)
        }
      } catch {
        // A client that goes away in the middle of the answer may go on with the transaction.
        if error.code != .cancelled { try? engine.rollback(id, in: database) }
        throw error
      }
    }
  }
}
