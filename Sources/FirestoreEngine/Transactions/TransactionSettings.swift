package import FirestoreModel

/// How transactions behave.
package struct TransactionSettings: Hashable, Sendable {
  /// Of transactions that do not say.
  package var concurrency: Concurrency
  /// How long the first in the line for a document waits before it shares it, counted anew at each hand-over.
  package var lockGrace: Duration
  /// How long one that holds a lock may be idle while others wait.
  package var lockWait: Duration
  /// How long a transaction may be idle.
  var idleTime = Duration.seconds(60)
  /// How long a transaction may last.
  var totalTime = Duration.seconds(270)
  var mostTransactions = 10_000
  var mostWaiting = 10_000
  /// Of one transaction.
  var mostDocuments = 100_000
  /// Of one transaction.
  var mostQueries = 1_000

  package init(
    concurrency: Concurrency = .pessimistic, lockGrace: Duration = .milliseconds(200),
    lockWait: Duration = .seconds(2)
  ) {
    self.concurrency = concurrency
    self.lockGrace = lockGrace
    self.lockWait = lockWait
  }
}
