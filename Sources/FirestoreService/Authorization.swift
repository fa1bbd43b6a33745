internal import FirestoreModel

/// What somebody wants to do to a document or collection.
enum Access: Sendable {
  case get(DocumentName)
  case list(ParentName)
  case write(Write)
  /// Reads what rules do not speak of: ids of collections, missing documents.
  case metadata(ParentName)

  var database: DatabaseName {
    switch self {
    case .get(let name): name.database
    case .list(let parent), .metadata(let parent): parent.database
    case .write(let write): write.name.database
    }
  }
}

extension FirestoreOperations {
  /// Admits `principal`, or throws. Without rules everybody may do everything.
  func authorize(_ access: Access, as principal: Principal) async throws(FirestoreError) {
    try expectedProject?.note(access.database.project)
  }
}
