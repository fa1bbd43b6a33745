package import Coding

/// `google.firestore.v1.TransactionOptions`.
package enum TransactionOptions: Hashable, Sendable {
  /// Reads and writes; `retrying` is the id of the attempt that failed before. Without a concurrency the server chooses.
  case readWrite(retrying: [UInt8]?, concurrency: Concurrency?)
  /// Reads only, all at one time.
  case readOnly(readTime: Timestamp?)
}

/// How transactions that read and write are kept apart.
package enum Concurrency: Hashable, Sendable {
  /// What a transaction has read is locked until its end.
  case pessimistic
  /// Nothing is locked; a commit fails if what its transaction has read has changed.
  case optimistic
}
