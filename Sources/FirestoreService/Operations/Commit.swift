internal import FirestoreEngine
package import FirestoreModel

extension FirestoreOperations {
  /// Commit; ends the transaction.
  ///
  /// - Throws: `INVALID_ARGUMENT`, `ABORTED`, `NOT_FOUND`, `ALREADY_EXISTS`, `FAILED_PRECONDITION`.
  package func commit(
    _ database: DatabaseName, writes: [Write], transaction: [UInt8]?, as principal: Principal
  ) async throws(FirestoreError) -> CommitResult {
    for write in writes { try await authorize(.write(write), as: principal) }
    return try await engine.commit(database, writes, transaction: transaction)
  }
}
