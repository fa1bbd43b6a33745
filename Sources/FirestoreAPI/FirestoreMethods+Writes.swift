package import FirestoreModel
package import FirestoreProtocol
package import FirestoreService

extension FirestoreMethods {
  package func commit(
    _ request: V1.CommitRequest, as principal: Principal
  ) async throws(FirestoreError) -> V1.CommitResponse {
    V1.CommitResponse(
      try await operations.commit(
        DatabaseName(parsing: request.database), writes: [Write](request.writes),
        transaction: request.transaction.isEmpty ? nil : request.transaction, as: principal))
  }

  package func batchWrite(
    _ request: V1.BatchWriteRequest, as principal: Principal
  ) async throws(FirestoreError) -> V1.BatchWriteResponse {
    V1.BatchWriteResponse(
      try await operations.batchWrite(
        DatabaseName(parsing: request.database), writes: [Write](request.writes), as: principal))
  }
}
