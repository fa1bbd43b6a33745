package import Coding

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

/// `google.firestore.v1.TransactionOptions`.
package enum TransactionOptions: Hashable, Sendable {
  /// Reads and writes; `retrying` is the id of the attempt that failed before.
  case readWrite(retrying: [UInt8]?)
  /// Reads only, all at one time.
  case readOnly(readTime: Timestamp?)
}
