package import Coding
package import FirestoreModel

/// The moment that a read looks at.
package enum ReadConsistency: Hashable, Sendable {
  /// Everything committed before the read.
  case latest
  case readTime(Timestamp)
  /// As the transaction with this id sees it.
  case transaction([UInt8])
  /// In a transaction that the read begins.
  case newTransaction(TransactionOptions)
}
