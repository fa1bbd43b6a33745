internal import FirestoreEngine
package import FirestoreModel

extension FirestoreOperations {
  /// Commit.
  ///
  /// - Throws: `INVALID_ARGUMENT`, `NOT_FOUND`, `ALREADY_EXISTS`, `FAILED_PRECONDITION`.
  package func commit(
    _ database: DatabaseName, writes: [Write], transaction: [UInt8]?, as principal: Principal
  ) async throws(FirestoreError) -> CommitResult {
    guard transaction == nil else { throw .unknownTransaction }
    for write in writes { try await authorize(.write(write), as: principal) }
    return try await engine.commit(database, writes)
  }
}
