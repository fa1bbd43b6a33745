internal import FirestoreEngine
package import FirestoreModel

extension FirestoreOperations {
  /// DeleteDocument; a missing document is deleted too, if the precondition lets it.
  ///
  /// - Throws: `NOT_FOUND`, `ALREADY_EXISTS`, `FAILED_PRECONDITION`.
  package func deleteDocument(
    _ name: DocumentName, precondition: Precondition?, as principal: Principal
  ) async throws(FirestoreError) {
    let write = Write(.delete(name), precondition: precondition)
    let review = try review(of: [write], in: name.database, as: principal)
    try await engine.commit(name.database, [write], review: review)
  }
}
