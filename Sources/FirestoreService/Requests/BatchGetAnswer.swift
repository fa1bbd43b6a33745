package import Coding
package import FirestoreModel

/// One answer of BatchGetDocuments.
package struct BatchGetAnswer: Sendable {
  package enum Outcome: Sendable {
    case found(Document)
    case missing(DocumentName)
  }

  package var outcome: Outcome
  /// The moment that was looked at; the same in all answers of a call.
  package var readTime: Timestamp

  package init(outcome: Outcome, readTime: Timestamp) {
    self.outcome = outcome
    self.readTime = readTime
  }
}
