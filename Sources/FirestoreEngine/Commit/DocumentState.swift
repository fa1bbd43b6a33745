internal import Coding
internal import FirestoreModel

/// A document while a commit is at work on it.
struct DocumentState {
  let path: DocumentPath
  /// Its key in the space of documents.
  let key: [UInt8]
  let before: DocumentRecord?
  private(set) var current: DocumentRecord?

  init(path: DocumentPath, key: [UInt8], before: DocumentRecord?) {
    self.path = path
    self.key = key
    self.before = before
    self.current = before
  }

  /// Whether the commit left the document other than it was.
  var isChanged: Bool {
    before?.createVersion != current?.createVersion || before?.fields != current?.fields
  }

  /// The document after the commit: the stored one, with its old time, if nothing changed.
  var after: DocumentRecord? { isChanged ? current : before }

  /// Puts `fields`; a document that has them already stays as it is.
  mutating func put(_ fields: StoredFields, version: Int64) {
    guard current?.fields != fields else { return }
    current = DocumentRecord(
      createVersion: current?.createVersion ?? version, updateVersion: version, fields: fields)
  }

  mutating func delete() {
    current = nil
  }

  /// - Throws: `NOT_FOUND`, `ALREADY_EXISTS`, `FAILED_PRECONDITION` or `INVALID_ARGUMENT`.
  func check(_ precondition: Precondition?, name: DocumentName) throws(FirestoreError) {
    switch precondition {
    case nil: break
    case .exists(true):
      guard current != nil else {
        throw FirestoreError(.notFound, "No document to update: \(name.text)")
      }
    case .exists(false):
      guard current == nil else {
        throw FirestoreError(.alreadyExists, "Document already exists: \(name.text)")
      }
    case .updateTime(let time):
      let stored = current?.updateVersion ?? 0
      guard current == nil || time.microseconds <= stored else {
        throw .invalidArgument(
          "Invalid base version, it is greater than the stored version: \(name.text)")
      }
      guard current != nil, stored == time.microseconds else {
        throw FirestoreError(
          .failedPrecondition,
          "the stored version (\(stored)) does not match the required base version "
            + "(\(time.microseconds))")
      }
    }
  }
}
