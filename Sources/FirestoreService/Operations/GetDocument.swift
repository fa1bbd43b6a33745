internal import FirestoreEngine
package import FirestoreModel

extension FirestoreOperations {
  /// GetDocument.
  ///
  /// - Throws: `NOT_FOUND`, and what `consistency` gives.
  package func getDocument(
    _ name: DocumentName, mask: FieldMask?, consistency: ReadConsistency,
    as principal: Principal
  ) async throws(FirestoreError) -> Document {
    let documents = try await authorize(
      .get([name], name.database), at: consistency, as: principal)
    let document: Document? =
      if case .latest = consistency {
        // What rules have let pass is what the client gets, even if it changes meanwhile.
        if let seen = documents?.seen(name) { seen } else { try engine.document(name) }
      } else {
        try await read(name.database, consistency, .documents([name])) {
          (point, _) async throws(FirestoreError) in
          try engine.read(name.database, at: point) { try $0.document(name.path) }
        }
      }
    guard let document else {
      throw FirestoreError(.notFound, "Document (\(name.text)) not found.")
    }
    return try document.projected(to: mask)
  }
}

extension Document {
  /// The document with the fields that `mask` names, all without a mask.
  func projected(to mask: FieldMask?) throws(FirestoreError) -> Document {
    guard let mask else { return self }
    var document = self
    document.fields = StoredFields(
      mask.paths.isEmpty ? MapValue() : try fields.decoded().projected(to: mask))
    return document
  }
}
