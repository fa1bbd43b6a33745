internal import Coding
package import FirestoreModel
package import FirestoreProtocol
package import FirestoreService

extension FirestoreMethods {
  package func getDocument(
    _ request: V1.GetDocumentRequest, as principal: Principal
  ) async throws(FirestoreError) -> V1.Document {
    V1.Document(
      try await operations.getDocument(
        DocumentName(parsing: request.name), mask: FieldMask?(request.mask),
        consistency: ReadConsistency(request.consistencySelector), as: principal))
  }

  package func listDocuments(
    _ request: V1.ListDocumentsRequest, as principal: Principal
  ) async throws(FirestoreError) -> V1.ListDocumentsResponse {
    let answer = try await operations.listDocuments(
      ListDocumentsRequest(
        parent: try ParentName(parsing: request.parent),
        collectionID: UTF8String(request.collectionID), pageSize: Int(request.pageSize),
        pageToken: request.pageToken, orderBy: request.orderBy,
        mask: try FieldMask?(request.mask), showMissing: request.showMissing,
        consistency: ReadConsistency(request.consistencySelector)),
      as: principal)
    return V1.ListDocumentsResponse(
      documents: answer.entries.map { entry in
        switch entry {
        case .document(let document): V1.Document(document)
        // The official emulator puts the time of the deletion here.
        case .missing(let name, let deleteTime):
          V1.Document(name: name.text, updateTime: deleteTime)
        }
      },
      nextPageToken: answer.nextPageToken)
  }

  package func createDocument(
    _ request: V1.CreateDocumentRequest, as principal: Principal
  ) async throws(FirestoreError) -> V1.Document {
    let document = request.document ?? V1.Document()
    guard document.name.isEmpty else { throw .invalidArgument("document.name must not be set") }
    return V1.Document(
      try await operations.createDocument(
        in: ParentName(parsing: request.parent), collectionID: UTF8String(request.collectionID),
        id: UTF8String(request.documentID), fields: MapValue(document.fields),
        mask: FieldMask?(request.mask), as: principal))
  }

  package func updateDocument(
    _ request: V1.UpdateDocumentRequest, as principal: Principal
  ) async throws(FirestoreError) -> V1.Document {
    let document = request.document ?? V1.Document()
    return V1.Document(
      try await operations.updateDocument(
        DocumentName(parsing: document.name), fields: MapValue(document.fields),
        updateMask: FieldMask?(request.updateMask), mask: FieldMask?(request.mask),
        precondition: Precondition?(request.currentDocument), as: principal))
  }

  package func deleteDocument(
    _ request: V1.DeleteDocumentRequest, as principal: Principal
  ) async throws(FirestoreError) -> WellKnown.Empty {
    try await operations.deleteDocument(
      DocumentName(parsing: request.name), precondition: Precondition?(request.currentDocument),
      as: principal)
    return WellKnown.Empty()
  }

  package func batchGetDocuments(
    _ request: V1.BatchGetDocumentsRequest, as principal: Principal,
    send: (V1.BatchGetDocumentsResponse) async throws(FirestoreError) -> Void
  ) async throws(FirestoreError) {
    let database = try DatabaseName(parsing: request.database)
    var names: [DocumentName] = []
    for name in request.documents { names.append(try DocumentName(parsing: name)) }
    try await operations.batchGetDocuments(
      database, names: names, mask: FieldMask?(request.mask),
      consistency: ReadConsistency(request.consistencySelector), as: principal
    ) { (answer) throws(FirestoreError) in
      let response =
        switch answer {
        case .began(let id): V1.BatchGetDocumentsResponse(transaction: id)
        case .found(let document, let time):
          V1.BatchGetDocumentsResponse(result: .found(V1.Document(document)), readTime: time)
        case .missing(let name, let time):
          V1.BatchGetDocumentsResponse(result: .missing(name.text), readTime: time)
        }
      try await send(response)
    }
  }

  package func listCollectionIDs(
    _ request: V1.ListCollectionIdsRequest, as principal: Principal
  ) async throws(FirestoreError) -> V1.ListCollectionIdsResponse {
    let answer = try await operations.listCollectionIDs(
      of: ParentName(parsing: request.parent), pageSize: Int(request.pageSize),
      pageToken: request.pageToken, consistency: ReadConsistency(request.consistencySelector),
      as: principal)
    return V1.ListCollectionIdsResponse(
      collectionIDs: answer.collectionIDs.map(\.string), nextPageToken: answer.nextPageToken)
  }
}
