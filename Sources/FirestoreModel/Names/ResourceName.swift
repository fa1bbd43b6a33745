internal import Coding

/// The full name of a document: database and path.
package struct DocumentName: Hashable, Sendable {
  package var database: DatabaseName
  package var path: DocumentPath

  package init(database: DatabaseName, path: DocumentPath) {
    self.database = database
    self.path = path
  }

  /// Reads the name as it stands on the wire; `label` begins the text of an error.
  ///
  /// - Throws: `INVALID_ARGUMENT`.
  package init(parsing text: String, as label: String = "Document name") throws(FirestoreError) {
    let parent = try ParentName(parsing: text, as: label)
    guard let path = parent.document else {
      let index = text.utf16.count
      throw .invalidArgument("\(label) \"\(text)\" lacks \"/\" at index \(index).")
    }
    self.init(database: parent.database, path: path)
  }

  /// Reads the name that a reference value holds, of any project and database.
  ///
  /// - Throws: `INVALID_ARGUMENT`.
  package init(parsingReference text: String) throws(FirestoreError) {
    if text.utf8.starts(with: "/".utf8), !text.utf8.starts(with: "//".utf8) {
      throw .invalidArgument("Database name \"\(text)\" lacks \"/\" at index 1.")
    }
    try self.init(parsing: text, as: "Resource name")
  }

  /// The name as it stands on the wire.
  package var text: String {
    let count = path.segments.reduce(database.textCount + 10) { $0 + $1.count + 1 }
    return String(capacity: count) { text in
      database.append(to: &text)
      text.append("/documents")
      for segment in path.segments {
        text.append(UInt8(ascii: "/"))
        text.append(segment.string)
      }
    }
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

  /// Reads the name as it stands on the wire; `label` begins the text of an error.
  ///
  /// - Throws: `INVALID_ARGUMENT`.
  package init(
    parsing text: String, as label: String = "Document parent name"
  ) throws(FirestoreError) {
    var parser = NameParser(text, label: label)
    self.database = try parser.database()
    try parser.documents()
    let segments = try parser.path()
    guard !segments.isEmpty else { return }
    self.document = DocumentPath(segments: segments)
  }

  package var text: String {
    guard let document else { return database.text + "/documents" }
    return DocumentName(database: database, path: document).text
  }
}
