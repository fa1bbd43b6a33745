package import FirestoreModel
package import KeyValue

// What listeners need to go on from an earlier moment.

extension Engine {
  /// Now: every commit up to it is in, and was handed to the feed.
  package var readPoint: ReadPoint { ReadPoint(version: clock.readTime()) }
}

extension DatabaseView {
  /// Tells this life of the database from others; 0 if nothing was ever written.
  package var incarnation: Int64 { record?.incarnation ?? 0 }

  /// States of the database at this version and later can still be read.
  package var horizon: Int64 { record?.horizon ?? 0 }

  /// A version that was reached by commits, of any database, and is not behind `point`.
  package var newestCommit: Int64 {
    get throws(StoreError) { min(point.version, try reader.version) }
  }

  /// The same database at an earlier point.
  ///
  /// - Throws: `FAILED_PRECONDITION` if the history no longer reaches back to it.
  package func earlier(_ point: ReadPoint) throws -> DatabaseView {
    guard point.version >= horizon else { throw FirestoreError.readTimeTooOld }
    return DatabaseView(
      database: database, point: point, reader: reader, record: record,
      isPast: try reader.version > point.version)
  }

  /// A part of the list of changes between two moments.
  package struct ChangePage: Sendable {
    /// The documents, one for each change.
    package var paths: [DocumentPath]
    /// Where the next part begins; `nil` at the end.
    package var next: ChangePosition?
  }

  package struct ChangePosition: Sendable {
    fileprivate var key: [UInt8]
  }

  /// At most `limit` changes behind `version` and up to `point`, from `position` on, oldest first.
  package func changes(
    behind version: Int64, from position: ChangePosition? = nil, limit: Int
  ) throws(StoreError) -> ChangePage {
    guard let number, version < point.version else { return ChangePage(paths: []) }
    let range = KeyRange(
      from: position?.key ?? Keys.changes(number, from: version + 1),
      to: Keys.changes(number, from: point.version + 1))
    let pairs = try reader.scan(.changes, range, .ascending, limit: limit)
    var page = ChangePage(paths: [])
    for pair in pairs {
      guard let (_, path) = StorageKey.decode(try ChangeEntry(pair).documentKey) else {
        throw .damaged
      }
      page.paths.append(path)
    }
    if pairs.count == limit, let last = pairs.last {
      page.next = ChangePosition(key: KeyPrefix.next(after: last.key))
    }
    return page
  }
}
