internal import Coding

/// The full name of a document: database and path.
package struct DocumentName: Hashable, Sendable {
  package var database: DatabaseName
  package var path: DocumentPath

  package init(database: DatabaseName, path: DocumentPath) {
    self.database = database
    self.path = path
  }

  /// The name as it stands on the wire.
  package var text: String {
    var text = database.text + "/documents"
    for segment in path.segments { text += "/" + segment.string }
    return text
  }
}

/// What collections hang on: the root of a database or one of its documents.
package struct ParentName: Hashable, Sendable {
  package var database: DatabaseName
  /// `nil` for the root.
  package var document: DocumentPath?

  package init(database: DatabaseName, document: DocumentPath?) {
    self.database = database
    self.document = document
  }

  package var text: String {
    guard let document else { return database.text + "/documents" }
    return DocumentName(database: database, path: document).text
  }
}
