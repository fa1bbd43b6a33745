internal import FirestoreModel

/// Documents that a query has to look at, one after the other.
protocol DocumentSource: Sendable {
  var isAtEnd: Bool { get }

  /// The next document; `nil` at the end, or when `budget`, the number of rows that may still be read, is used up.
  mutating func document(in view: DatabaseView, _ budget: inout Int) throws -> Document?
}

extension SegmentStream: DocumentSource {}
