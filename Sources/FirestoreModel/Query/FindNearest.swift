internal import Coding

/// `StructuredQuery.FindNearest`: the documents whose vectors are nearest to one.
package struct FindNearest: Hashable, Sendable {
  package enum Measure: Hashable, Sendable {
    case euclidean
    case cosine
    /// The greater, the nearer.
    case dotProduct
  }

  package var field: FieldPath
  package var vector: Value
  package var measure: Measure
  package var limit: Int
  /// Where results tell their distance.
  package var resultField: FieldPath?
  package var threshold: Double?

  package init(
    field: FieldPath, vector: Value, measure: Measure, limit: Int, resultField: FieldPath? = nil,
    threshold: Double? = nil
  ) {
    self.field = field
    self.vector = vector
    self.measure = measure
    self.limit = limit
    self.resultField = resultField
    self.threshold = threshold
  }

  func check() throws(FirestoreError) {
    guard (1...1_000).contains(limit) else {
      throw .invalidArgument("FindNearest.limit must be a positive integer of no more than 1000")
    }
    guard case .vector = vector else {
      throw .invalidArgument("Query Value must be of type vector.")
    }
  }

  /// The distance of `document`; `nil` if it has no vector of that dimension, or is beyond the threshold.
  ///
  /// - Throws: `DATA_LOSS` if the document can't be read.
  package func distance(of document: Document) throws(FirestoreError) -> Double? {
    guard case .vector(let query) = vector,
      case .vector(let numbers) = try document.fields.value(at: field),
      numbers.count == query.count
    else { return nil }
    let distance =
      switch measure {
      case .euclidean:
        zip(query, numbers).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
      case .cosine:
        1 - Self.dot(query, numbers)
          / (Self.dot(query, query).squareRoot() * Self.dot(numbers, numbers).squareRoot())
      case .dotProduct: Self.dot(query, numbers)
      }
    guard let threshold else { return distance }
    let isNear =
      switch measure {
      case .euclidean, .cosine: distance <= threshold
      case .dotProduct: distance >= threshold
      }
    return isNear ? distance : nil
  }

  /// The place of a document at `distance`: nearest first, without a number last, then in the order of the query, where its
  /// place is `place`.
  package func sortKey(_ distance: Double, _ place: SortKey) -> SortKey {
    var key = SortKey()
    key.append(.boolean(distance.isNaN), .ascending)
    key.append(.double(distance), measure == .dotProduct ? .descending : .ascending)
    key.append(place)
    return key
  }

  /// `document` with its distance, if the client asked for it.
  ///
  /// - Throws: `DATA_LOSS` if the document can't be read.
  package func telling(
    _ distance: Double, in document: Document
  ) throws(FirestoreError) -> Document {
    guard let resultField else { return document }
    var document = document
    var fields = try document.fields.decoded()
    fields.set(resultField, to: Value(distance))
    document.fields = StoredFields(fields)
    return document
  }

  private static func dot(_ left: [Double], _ right: [Double]) -> Double {
    zip(left, right).reduce(0) { $0 + $1.0 * $1.1 }
  }
}
