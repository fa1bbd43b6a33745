internal import FirestoreEngine
package import FirestoreModel

extension FirestoreOperations {
  /// BatchWrite: each write succeeds or fails by its precondition, in the order of `writes`.
  ///
  /// - Throws: `INVALID_ARGUMENT` for the whole if one of the writes is invalid or two are for one document.
  package func batchWrite(
    _ database: DatabaseName, writes: [Write], as principal: Principal
  ) async throws(FirestoreError) -> [Result<WriteResult, FirestoreError>] {
    try await authorize(.batchWrite(database), as: principal)
    return try await engine.commitEach(database, writes)
  }
}
