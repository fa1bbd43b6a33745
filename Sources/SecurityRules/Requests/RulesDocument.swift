package import Coding

/// A document as rules see it.
package struct RulesDocument: Sendable {
  /// The value of `resource` or of `get()`.
  let value: RulesValue

  /// `path` is the whole one, from `databases` on.
  package init(path: RulesPath, data: RulesMap) {
    let id = path.text(at: path.segments.count - 1) ?? ""
    value = .map(
      RulesMap(sorted: [
        RulesMap.Entry(Self.name, .path(path)), RulesMap.Entry(Self.data, .map(data)),
        RulesMap.Entry(Self.id, .string(id)),
      ]))
  }

  private static let name = RulesKey("__name__")
  private static let data = RulesKey("data")
  private static let id = RulesKey("id")
}

/// Where the documents come from that rules look at.
package protocol RulesDocuments {
  /// The document before the request; `nil` if there is none. `path` is the whole one, from `databases` on, all of it text.
  ///
  /// - Throws: `RulesDocumentsError` if it could not be read.
  func document(_ path: RulesPath) throws(RulesDocumentsError) -> RulesDocument?

  /// The document after the request.
  func documentAfter(_ path: RulesPath) throws(RulesDocumentsError) -> RulesDocument?
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
  func path(_ segments: [String]) -> RulesPath {
    var path: [RulesPath.Segment] = []
    path.reserveCapacity(segments.count + 3)
    path.append(.text("databases"))
    path.append(.text(database))
    path.append(.text("documents"))
    for segment in segments { path.append(.text(segment)) }
    return RulesPath(segments: path)
  }

  /// The members of `request` that every method has, and with `fields` those of a read: the fields of its projection, or null.
  func request(_ method: Method, path: RulesValue, fields: RulesValue? = nil) -> RulesMap {
    var entries: [RulesMap.Entry] = []
    entries.reserveCapacity(7)
    entries.append(RulesMap.Entry(Self.auth, auth))
    if let fields { entries.append(RulesMap.Entry(Self.fields, fields)) }
    entries.append(RulesMap.Entry(Self.headers, Self.noHeaders))
    entries.append(RulesMap.Entry(Self.inTransaction, .bool(isInTransaction)))
    entries.append(RulesMap.Entry(Self.method, .string(method.rawValue)))
    entries.append(RulesMap.Entry(Self.path, path))
    entries.append(RulesMap.Entry(Self.time, .timestamp(time)))
    return RulesMap(sorted: entries)
  }

  /// A member of `request` that rules ask for most; `nil` for others.
  func member(_ start: RulesKey.Start) -> RulesValue? {
    start == Self.auth.start ? auth : start == Self.time.start ? .timestamp(time) : nil
  }

  private static let auth = RulesKey("auth")
  private static let fields = RulesKey("fields")
  private static let headers = RulesKey("headers")
  private static let noHeaders = RulesValue.map([:])
  private static let inTransaction = RulesKey("inTransaction")
  private static let method = RulesKey("method")
  private static let path = RulesKey("path")
  private static let time = RulesKey("time")
}
