package import Coding
package import FirestoreModel

extension FirestoreOperations {
  /// CreateDocument; without an id, or with an empty one, the document gets an automatic one.
  ///
  /// - Throws: `INVALID_ARGUMENT`, `ALREADY_EXISTS`.
  package func createDocument(
    in parent: ParentName, collectionID: UTF8String, id: UTF8String?, fields: MapValue,
    mask: FieldMask?, as principal: Principal
  ) async throws(FirestoreError) -> Document {
    try ResourceID.checkSingleCollection(collectionID)
    let documentID: UTF8String
    if let id, !id.isEmpty {
      try ResourceID.checkSingleDocument(id)
      documentID = id
    } else {
      documentID = automaticID()
    }
    let path = DocumentPath(CollectionPath(parent.document, collectionID), documentID)
    return try await write(
      Write(
        .update(DocumentName(database: parent.database, path: path), fields, nil),
        precondition: .exists(false)),
      mask: mask, as: principal)
  }
}
