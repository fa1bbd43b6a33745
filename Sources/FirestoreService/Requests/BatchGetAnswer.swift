package import Coding
package import FirestoreModel

/// One answer of BatchGetDocuments. The read time is the same in all answers of a call.
package enum BatchGetAnswer: Sendable {
  /// The id of the transaction that was begun; comes first.
  case began([UInt8])
  case found(Document, readTime: Timestamp)
  case missing(DocumentName, readTime: Timestamp)
}
