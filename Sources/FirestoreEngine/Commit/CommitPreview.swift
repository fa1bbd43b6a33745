package import Coding
package import FirestoreModel
internal import KeyValue

/// Refuses a commit by throwing. It runs on the writer of the store and must be short.
package typealias CommitReview = @Sendable (CommitPreview) throws -> Void

/// What a commit is about to do, and the documents that it finds.
package struct CommitPreview {
  /// What server timestamps of the commit will be.
  package let requestTime: Timestamp
  /// The documents that are written, as they will be; `nil` for what is deleted.
  let results: [DocumentPath: Document?]
  let transaction: any StoreTransaction
  let database: DatabaseName
  /// `nil` for a database that the commit makes.
  let number: DatabaseNumber?

  /// The document before the commit.
  ///
  /// - Throws: `UNAVAILABLE` if it can't be read.
  package func document(_ path: DocumentPath) throws(FirestoreError) -> Document? {
    guard let number else { return nil }
    do {
      return try transaction.get(.documents, StorageKey.document(number, path))
        .map { try DocumentRecord(decoding: $0) }?
        .document(named: DocumentName(database: database, path: path))
    } catch {
      throw FirestoreError(thrown: error)
    }
  }

  /// The document after the commit.
  ///
  /// - Throws: `UNAVAILABLE` if it can't be read.
  package func documentAfter(_ path: DocumentPath) throws(FirestoreError) -> Document? {
    if let result = results[path] { return result }
    return try document(path)
  }
}
