package import Coding
package import FirestoreModel

/// What the client of a stream asks for. It is small, since it is kept in many places while a stream waits for the next one.
package enum ListenRequest: Sendable {
  indirect case add(ListenTarget)
  case remove(Int32)
}

/// `google.firestore.v1.Target`: documents that a client wants to know of, and what it knows already.
package struct ListenTarget: Sendable {
  package enum Selection: Hashable, Sendable {
    case documents([DocumentName])
    case query(ListenQuery)
  }

  /// Up to where the client knows the target.
  package enum Resume: Hashable, Sendable {
    case token([UInt8])
    case readTime(Timestamp)
  }

  /// 0 lets the server choose.
  package var id: Int32
  /// What the target selects, or why it can't be listened to.
  package var selection: Result<Selection, FirestoreError>
  package var resume: Resume?
  /// How many documents the client knows to match.
  package var expectedCount: Int?
  /// The target is over when its documents were told.
  package var once: Bool

  package init(
    id: Int32, selection: Result<Selection, FirestoreError>, resume: Resume? = nil,
    expectedCount: Int? = nil, once: Bool = false
  ) {
    self.id = id
    self.selection = selection
    self.resume = resume
    self.expectedCount = expectedCount
    self.once = once
  }
}

extension ListenTarget.Selection {
  /// - Throws: `INVALID_ARGUMENT` for a selection of another database.
  func check(in database: DatabaseName) throws(FirestoreError) {
    switch self {
    case .documents(let names):
      for name in names { try Self.check(name.database, in: database) }
    case .query(let query): try Self.check(query.query.database, in: database)
    }
  }

  private static func check(
    _ named: DatabaseName, in database: DatabaseName
  ) throws(FirestoreError) {
    guard named == database else {
      throw .invalidArgument(
        "The request was for database '\(database.text)' but was attempting to access database "
          + "'\(named.text)'")
    }
  }

  var scope: TargetScope {
    switch self {
    case .documents(let names): .documents(names.map(\.path))
    case .query(let query): query.scope
    }
  }
}
