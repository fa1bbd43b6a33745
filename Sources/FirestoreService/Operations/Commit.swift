internal import FirestoreEngine
package import FirestoreModel

extension FirestoreOperations {
  /// Commit; ends the transaction.
  ///
  /// - Throws: `INVALID_ARGUMENT`, `ABORTED`, `PERMISSION_DENIED`, `NOT_FOUND`, `ALREADY_EXISTS`, `FAILED_PRECONDITION`.
  package func commit(
    _ database: DatabaseName, writes: [Write], transaction: [UInt8]?, as principal: Principal
  ) async throws(FirestoreError) -> CommitResult {
    let review = try review(of: writes, in: database, as: principal)
    return try await engine.commit(
      database, writes, transaction: transaction, review: review)
  }
}
