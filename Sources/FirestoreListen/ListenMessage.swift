package import Coding
package import FirestoreModel

/// What the client of a stream is told, in order.
package enum ListenMessage: Sendable {
  /// The answer to the request for a target.
  case added(Int32)
  /// A target is over: because the client asked for it, or because of `cause`.
  case removed(Int32, cause: FirestoreError?)
  /// The client forgets what it knows of the targets.
  case reset([Int32], ListenMoment)
  /// The targets show the state at the moment.
  case current([Int32], ListenMoment)
  /// All targets of the stream show the state at the moment.
  case snapshot(ListenMoment)
  /// The document matches `targets`, and no longer those that it left.
  case changed(SharedDocument, targets: [Int32], left: [Int32])
  /// The document is gone.
  case deleted(DocumentName, Timestamp, left: [Int32])
  /// The document is out of view.
  case leftView(DocumentName, Timestamp, left: [Int32])
  case filter(ExistenceFilter)
}

/// A moment that a stream has come to.
package struct ListenMoment: Hashable, Sendable {
  package var readTime: Timestamp
  package var token: ResumeToken

  package init(readTime: Timestamp, token: ResumeToken) {
    self.readTime = readTime
    self.token = token
  }
}

/// How many documents match a target, and which, for a client that may have kept too many.
package struct ExistenceFilter: Sendable {
  package var target: Int32
  package var count: Int
  /// The names of all that match, if the client asked for them.
  package var names: BloomFilter?
}
