package import FirestoreModel

/// A query that can be listened to.
package final class ListenQuery: Hashable, Sendable {
  /// As the client asked it.
  package let query: Query
  /// The query for whole documents from the first on, with some more than the limit.
  let window: Query
  /// The results that count: behind the offset, up to the limit. `nil` if all do.
  let shown: Range<Int>?
  let scope: TargetScope
  private let lowerBound: SortKey?
  private let upperBound: SortKey?

  /// - Throws: `INVALID_ARGUMENT` and `FAILED_PRECONDITION` for what is no query or can't be listened to.
  package init(_ query: StructuredQuery, parent: ParentName) throws(FirestoreError) {
    self.query = try Query(query, parent: parent)
    guard query.findNearest == nil else {
      throw .invalidArgument("'find_nearest' is not supported by real-time queries.")
    }
    switch self.query.source {
    case .collection(let path): self.scope = .collection(path)
    case .group(let id, below: nil): self.scope = .group(id)
    case .collections, .descendants(of: nil):
      throw .invalidArgument("All-collection queries are not supported by real-time queries.")
    case .group(_, below: .some), .descendants(of: .some):
      throw .invalidArgument(
        "'all_descendants' in CollectionSelector with document parent is not supported by real-time "
          + "queries.")
    }
    var window = query
    window.select = nil
    window.offset = 0
    if let limit = query.limit {
      let end = query.offset + limit
      self.shown = query.offset..<end
      window.limit = end + 16 + min(end / 4, 256)
    } else {
      self.shown = query.offset > 0 ? query.offset..<Int.max : nil
    }
    self.window = try Query(window, parent: parent)
    self.lowerBound = self.window.lowerBound
    self.upperBound = self.window.upperBound
  }

  /// Queries that find the same in the same order are the same.
  package static func == (left: ListenQuery, right: ListenQuery) -> Bool {
    left.query == right.query
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(query)
  }

  /// Whether clients get a part of the fields.
  var isProjected: Bool { query.projection != nil }

  /// The place of `document` among the results, limits aside; `nil` if it is none of them.
  ///
  /// - Throws: `DATA_LOSS` if it can't be read.
  func key(of document: Document) throws(FirestoreError) -> SortKey? {
    if let filter = query.filter, try !filter.matches(document) { return nil }
    guard !window.isInNameOrder || lowerBound != nil || upperBound != nil || shown != nil else {
      return SortKey()
    }
    guard let key = try window.sortKey(of: document) else { return nil }
    if let lowerBound, key < lowerBound { return nil }
    if let upperBound, !(key < upperBound) { return nil }
    return key
  }
}
