package import FirestoreModel

/// What a commit did to a database. Events come in the order of their versions.
package struct CommitEvent: Sendable {
  package enum Content: Sendable {
    /// One change for each document that is other than before, in the order of their first writes.
    case changes([DocumentChange])
    /// All documents are gone, and tokens of other incarnations are void.
    case cleared
  }

  package let database: DatabaseName
  /// Tells one life of the database from another.
  package let incarnation: Int64
  package let version: Int64
  package let content: Content
}

/// A document before and after a commit; `nil` where it did not exist.
package struct DocumentChange: Sendable {
  package let path: DocumentPath
  package let before: DocumentRecord?
  package let after: DocumentRecord?
}
