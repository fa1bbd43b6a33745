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

  package func beginTransaction(
    _ request: V1.BeginTransactionRequest, as principal: Principal
  ) async throws(FirestoreError) -> V1.BeginTransactionResponse {
    V1.BeginTransactionResponse(
      transaction: try await operations.beginTransaction(
        DatabaseName(parsing: request.database),
        options: TransactionOptions(request.options ?? V1.TransactionOptions()), as: principal))
  }

  package func rollback(
    _ request: V1.RollbackRequest, as principal: Principal
  ) async throws(FirestoreError) -> WellKnown.Empty {
    try operations.rollback(
      DatabaseName(parsing: request.database), transaction: request.transaction, as: principal)
    return WellKnown.Empty()
  }

  package func batchWrite(
    _ request: V1.BatchWriteRequest, as principal: Principal
  ) async throws(FirestoreError) -> V1.BatchWriteResponse {
    V1.BatchWriteResponse(
      try await operations.batchWrite(
        DatabaseName(parsing: request.database), writes: [Write](request.writes), as: principal))
  }
}
