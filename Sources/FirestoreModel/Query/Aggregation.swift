package import Coding

/// `StructuredAggregationQuery.Aggregation`.
package struct Aggregation: Sendable {
  package enum Operation: Sendable {
    /// At most `upTo`, if it is there.
    case count(upTo: Int64?)
    case sum(FieldPath)
    case average(FieldPath)
  }

  /// What the result is called; empty for a name made by the server.
  package var alias: UTF8String
  package var operation: Operation

  package init(alias: UTF8String, _ operation: Operation) {
    self.alias = alias
    self.operation = operation
  }

  /// The field that is aggregated; `nil` for counts.
  package var path: FieldPath? {
    switch operation {
    case .count: nil
    case .sum(let path), .average(let path): path
    }
  }
}

/// A checked aggregation query; every aggregation has a name of its own.
package struct AggregationQuery: Sendable {
  /// The query, its orders completed by those of `fields`.
  package let query: Query
  package let aggregations: [Aggregation]
  /// The fields that are aggregated, by name. Documents without all of these take no part, in counts neither.
  package let fields: [FieldPath]

  /// Checks the aggregations, then the query.
  ///
  /// - Throws: `INVALID_ARGUMENT`, and `FAILED_PRECONDITION` for what no index could serve.
  package init(
    _ query: StructuredQuery, parent: ParentName, _ aggregations: [Aggregation]
  ) throws(FirestoreError) {
    guard !aggregations.isEmpty else {
      throw .invalidArgument("Aggregations can not be empty.")
    }
    guard aggregations.count <= 5 else {
      throw .invalidArgument(
        "The maximum number of aggregations allowed in an aggregation query is 5.")
    }
    self.aggregations = Self.named(aggregations)
    let paths = aggregations.compactMap(\.path)
    self.fields =
      paths.isEmpty ? [] : Set(paths).sorted { FieldPath.compare($0, $1) == .ascending }
    var aliases: Set<UTF8String> = []
    for aggregation in self.aggregations {
      try Self.check(aggregation)
      guard aggregations.count > 1 else { continue }
      guard aliases.insert(aggregation.alias).inserted else {
        throw .invalidArgument(
          "Aggregation aliases contain duplicate alias: \(aggregation.alias).")
      }
    }
    try query.filter?.check(in: parent.database)
    try Self.checkProjection(query, aggregations)
    self.query = try Self.ordered(query, parent, by: fields)
  }

  private static func named(_ aggregations: [Aggregation]) -> [Aggregation] {
    var unnamed = 0
    return aggregations.map { aggregation in
      guard aggregation.alias.isEmpty else { return aggregation }
      unnamed += 1
      return Aggregation(alias: UTF8String("field_\(unnamed)"), aggregation.operation)
    }
  }

  private static func check(_ aggregation: Aggregation) throws(FirestoreError) {
    guard !ResourceID.isReserved(aggregation.alias) else {
      throw .invalidArgument("The property.name \"\(aggregation.alias)\" is reserved.")
    }
    guard aggregation.alias.count <= Limits.idBytes else {
      throw .invalidArgument("The property.name is longer than 1500 bytes.")
    }
    switch aggregation.operation {
    case .count(let upTo):
      guard upTo.map({ $0 >= 0 }) ?? true else {
        throw .invalidArgument(
          "The `up_to` value in a COUNT aggregation must be greater than or equal to zero.")
      }
    case .sum(let path), .average(let path):
      guard !path.isDocumentName else {
        throw .invalidArgument("Aggregations are not supported for the property: __key__")
      }
    }
  }

  /// Fields can't be aggregated of documents that the query cuts.
  private static func checkProjection(
    _ query: StructuredQuery, _ aggregations: [Aggregation]
  ) throws(FirestoreError) {
    let fields = aggregations.compactMap(\.path)
    guard let projection = query.select, !fields.isEmpty else { return }
    guard !projection.paths.allSatisfy(\.isDocumentName) else {
      throw .invalidArgument(
        "Aggregation over non-key properties is not supported for base query that only returns "
          + "keys.")
    }
    let projected = Set(projection.paths)
    if let missing = fields.first(where: { !projected.contains($0) }) {
      throw .invalidArgument(
        "The aggregation property \(missing.plainText) is not present in the base query's property "
          + "mask.")
    }
    throw .invalidArgument("Cannot apply property masks when aggregation fields are present.")
  }

  /// An index that serves an aggregation has its fields behind the orders of the query and before the name; so which
  /// documents a limit lets through depends on them.
  private static func ordered(
    _ query: StructuredQuery, _ parent: ParentName, by fields: [FieldPath]
  ) throws(FirestoreError) -> Query {
    try query.checkNumbers()
    if fields.isEmpty, query.filter == nil { return try Query(query, parent: parent) }
    let ordered = try query.orderBy.map(\.path) + Query.inequalityFields(query.filter)
    let missing = fields.filter { !ordered.contains($0) }
    guard !missing.isEmpty else { return try Query(query, parent: parent) }
    let isWithinParent =
      switch try Query.source(query.from, parent.document) {
      case .collection, .collections, .group(_, below: nil), .descendants(of: nil): false
      case .group(_, below: .some), .descendants(of: .some): true
      }
    let usesName =
      query.orderBy.contains(where: \.path.isDocumentName)
      || query.filter?.conditions.contains(where: \.path.isDocumentName) ?? false
    guard !isWithinParent, !usesName else {
      let names = missing.map(\.plainText).joined(separator: ", ")
      throw .invalidArgument(
        "This query requires an index that has fields [\(names)] after __name__ and Firestore "
          + "does not currently support such an index. Please try the query again with "
          + "additional ordering on those fields.")
    }
    var query = try Query(query, parent: parent)
    query.insertBeforeName(missing)
    return query
  }
}
