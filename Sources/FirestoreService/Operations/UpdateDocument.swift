internal import FirestoreEngine
package import FirestoreModel

extension FirestoreOperations {
  /// UpdateDocument; creates the document if the precondition lets it.
  ///
  /// - Throws: `INVALID_ARGUMENT`, `NOT_FOUND`, `ALREADY_EXISTS`, `FAILED_PRECONDITION`.
  package func updateDocument(
    _ name: DocumentName, fields: MapValue, updateMask: FieldMask?, mask: FieldMask?,
    precondition: Precondition?, as principal: Principal
  ) async throws(FirestoreError) -> Document {
    try await write(
      Write(.update(name, fields, updateMask), precondition: precondition), mask: mask,
      as: principal)
  }

  /// Makes one update and answers the document that it left.
  func write(
    _ write: Write, mask: FieldMask?, as principal: Principal
  ) async throws(FirestoreError) -> Document {
    let review = try review(of: [write], in: write.name.database, as: principal)
    return try await engine.update(write, review: review).projected(to: mask)
  }
}
