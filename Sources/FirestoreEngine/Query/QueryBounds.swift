internal import FirestoreModel

/// What the cursors of a query leave of its order.
struct QueryBounds: Sendable {
  private let lower: SortKey?
  private let upper: SortKey?

  init(_ query: Query) {
    self.lower = query.lowerBound
    self.upper = query.upperBound
  }

  /// Whether nothing is left out.
  var areOpen: Bool { lower == nil && upper == nil }

  func contains(_ key: SortKey) -> Bool {
    (lower.map { !(key < $0) } ?? true) && (upper.map { key < $0 } ?? true)
  }
}
