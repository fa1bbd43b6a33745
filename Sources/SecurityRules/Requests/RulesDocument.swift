package import Coding

/// A document as rules see it.
package struct RulesDocument: Sendable {
  /// The segments of its whole path, from `databases` on.
  package var path: [String]
  package var data: RulesMap

  package init(path: [String], data: RulesMap) {
    self.path = path
    self.data = data
  }

  /// The value of `resource` or of `get()`.
  var value: RulesValue {
    .map(
      RulesMap(sorted: [
        RulesMap.Entry(Self.name, .path(RulesPath(path))), RulesMap.Entry(Self.data, .map(data)),
        RulesMap.Entry(Self.id, .string(path.last ?? "")),
      ]))
  }

  private static let name = RulesKey("__name__")
  private static let data = RulesKey("data")
  private static let id = RulesKey("id")
}

/// Where the documents come from that rules look at.
package protocol RulesDocuments {
  /// The document before the request; `nil` if there is none. `path` are the segments from `databases` on.
  ///
  /// - Throws: `RulesDocumentsError` if it could not be read.
  func document(_ path: [String]) throws(RulesDocumentsError) -> RulesDocument?

  /// The document after the request.
  func documentAfter(_ path: [String]) throws(RulesDocumentsError) -> RulesDocument?
}

/// A document could not be read.
package struct RulesDocumentsError: Error {
  package init() {}
}

/// What is the same for all documents of a request.
package struct RulesRequestContext: Sendable {
  /// The name of the database, `(default)` for most.
  package var database: String
  /// `{uid, token}`, or null for somebody who is not signed in.
  package var auth: RulesValue
  package var time: Timestamp
  package var isInTransaction: Bool

  package init(
    database: String, auth: RulesValue, time: Timestamp, isInTransaction: Bool = false
  ) {
    self.database = database
    self.auth = auth
    self.time = time
    self.isInTransaction = isInTransaction
  }

  /// The path of a document or collection from its segments below `documents`.
  func path(_ segments: [String]) -> [String] { ["databases", database, "documents"] + segments }

  /// The members of `request` that every method has.
  func request(_ method: Method, path: RulesValue) -> RulesMap {
    RulesMap(sorted: [
      RulesMap.Entry(Self.auth, auth), RulesMap.Entry(Self.headers, .map([:])),
      RulesMap.Entry(Self.inTransaction, .bool(isInTransaction)),
      RulesMap.Entry(Self.method, .string(method.rawValue)), RulesMap.Entry(Self.path, path),
      RulesMap.Entry(Self.time, .timestamp(time)),
    ])
  }

  private static let auth = RulesKey("auth")
  private static let headers = RulesKey("headers")
  private static let inTransaction = RulesKey("inTransaction")
  private static let method = RulesKey("method")
  private static let path = RulesKey("path")
  private static let time = RulesKey("time")
}
