package import Coding
package import FirestoreModel

extension StructuredQuery {
  /// - Throws: `INVALID_ARGUMENT` with the texts of the official emulator.
  package init(_ message: V1.StructuredQuery) throws(FirestoreError) {
    self.init()
    from = message.from.map {
      CollectionSelector(
        collectionID: UTF8String($0.collectionID), allDescendants: $0.allDescendants)
    }
    filter = try message.where.map { filter throws(FirestoreError) in try Filter(filter) }
    for order in message.orderBy { orderBy.append(try Query.Order(order)) }
    startAt = try message.startAt.map { cursor throws(FirestoreError) in
      try Query.Cursor(cursor)
    }
    endAt = try message.endAt.map { cursor throws(FirestoreError) in try Query.Cursor(cursor) }
    offset = Int(message.offset)
    limit = message.limit.map { Int($0) }
    select = try message.select.map { projection throws(FirestoreError) in
      try FieldMask(parsing: projection.fields.map(\.fieldPath))
    }
    findNearest = try message.findNearest.map { nearest throws(FirestoreError) in
      try FindNearest(nearest)
    }
  }
}

extension Query {
  /// The checked query of a message.
  ///
  /// - Throws: `INVALID_ARGUMENT`, `FAILED_PRECONDITION`.
  package init(_ message: V1.StructuredQuery, parent: ParentName) throws(FirestoreError) {
    try self.init(try StructuredQuery(message), parent: parent)
  }
}

extension Filter {
  /// - Throws: `INVALID_ARGUMENT`.
  package init(_ message: V1.StructuredQuery.Filter) throws(FirestoreError) {
    switch message.filterType {
    case .compositeFilter(let composite)?:
      var filters: [Filter] = []
      for filter in composite.filters { filters.append(try Filter(filter)) }
      switch composite.op {
      case .and: self = .and(filters)
      case .or: self = .or(filters)
      case .operatorUnspecified, .unrecognized:
        throw .invalidArgument("Unsupported CompositeFilter operator.")
      }
    case .fieldFilter(let filter)?:
      let path = try FieldPath(filter.field)
      self = .field(path, try Condition(filter.op, filter.value ?? V1.Value()))
    case .unaryFilter(let filter)?:
      guard case .field(let field)? = filter.operandType else {
        throw .invalidArgument("Unsupported UnaryFilter operand type (non-FIELD).")
      }
      self = .field(try FieldPath(field), try Condition(filter.op))
    case nil: throw .invalidArgument("Unknown Filter type.")
    }
  }
}

extension Filter.Condition {
  fileprivate init(
    _ comparison: V1.StructuredQuery.FieldFilter.Operator, _ message: V1.Value
  ) throws(FirestoreError) {
    let value = try Value(message)
    switch comparison {
    case .equal: self = .equal(value)
    case .notEqual: self = .notEqual(value)
    case .lessThan: self = .lessThan(value)
    case .lessThanOrEqual: self = .lessThanOrEqual(value)
    case .greaterThan: self = .greaterThan(value)
    case .greaterThanOrEqual: self = .greaterThanOrEqual(value)
    case .arrayContains: self = .arrayContains(value)
    case .in: self = .in(try Self.elements(of: value, for: "IN"))
    case .notIn: self = .notIn(try Self.elements(of: value, for: "NOT_IN"))
    case .arrayContainsAny:
      self = .arrayContainsAny(try Self.elements(of: value, for: "ARRAY_CONTAINS_ANY"))
    case .operatorUnspecified, .unrecognized:
      throw .invalidArgument("Unknown FieldFilter operator.")
    }
  }

  fileprivate init(
    _ test: V1.StructuredQuery.UnaryFilter.Operator
  ) throws(FirestoreError) {
    switch test {
    case .isNull: self = .isNull
    case .isNotNull: self = .isNotNull
    case .isNan: self = .isNaN
    case .isNotNan: self = .isNotNaN
    case .operatorUnspecified, .unrecognized:
      throw .invalidArgument("Unknown UnaryFilter operator.")
    }
  }

  private static func elements(
    of value: Value, for comparison: String
  ) throws(FirestoreError) -> [Value] {
    guard case .array(let elements) = value else {
      throw .invalidArgument("'\(comparison)' requires an ArrayValue.")
    }
    return elements
  }
}

extension Query.Order {
  /// - Throws: `INVALID_ARGUMENT`.
  package init(_ message: V1.StructuredQuery.Order) throws(FirestoreError) {
    let path = try FieldPath(message.field)
    switch message.direction {
    case .ascending, .directionUnspecified: self.init(path, .ascending)
    case .descending: self.init(path, .descending)
    case .unrecognized: throw .invalidArgument("Unknown order direction.")
    }
  }
}

extension Query.Cursor {
  /// - Throws: `INVALID_ARGUMENT`.
  package init(_ message: V1.Cursor) throws(FirestoreError) {
    var values: [Value] = []
    for value in message.values { values.append(try Value(value)) }
    self.init(values: values, isBefore: message.before)
  }
}

extension FindNearest {
  /// - Throws: `INVALID_ARGUMENT`.
  package init(_ message: V1.StructuredQuery.FindNearest) throws(FirestoreError) {
    let measure: Measure
    switch message.distanceMeasure {
    case .euclidean: measure = .euclidean
    case .cosine: measure = .cosine
    case .dotProduct: measure = .dotProduct
    case .distanceMeasureUnspecified, .unrecognized:
      throw .invalidArgument("Unknown Distance Measure.")
    }
    // A name, not a path.
    let result = UTF8String(message.distanceResultField)
    guard !ResourceID.isReserved(result) else {
      throw .invalidArgument("The distanceResultField.property.name \"\(result)\" is reserved.")
    }
    guard result.count <= Limits.idBytes else {
      throw .invalidArgument("The distanceResultField.property.name is longer than 1500 bytes.")
    }
    self.init(
      field: try FieldPath(message.vectorField),
      vector: try Value(message.queryVector ?? V1.Value()),
      measure: measure, limit: Int(message.limit ?? 0),
      resultField: result.isEmpty ? nil : FieldPath(segments: [result]),
      threshold: message.distanceThreshold)
  }
}

extension FieldPath {
  /// The path of a reference; none at all is an empty one.
  ///
  /// - Throws: `INVALID_ARGUMENT`.
  fileprivate init(_ message: V1.StructuredQuery.FieldReference?) throws(FirestoreError) {
    try self.init(parsing: message?.fieldPath ?? "")
  }
}

// MARK: - Aggregations

extension AggregationQuery {
  /// - Throws: `INVALID_ARGUMENT`, `FAILED_PRECONDITION`.
  package init(
    _ message: V1.StructuredAggregationQuery, parent: ParentName
  ) throws(FirestoreError) {
    let query =
      switch message.queryType {
      case .structuredQuery(let query)?: query
      case nil: V1.StructuredQuery()
      }
    var aggregations: [Aggregation] = []
    for aggregation in message.aggregations { aggregations.append(try Aggregation(aggregation)) }
    try self.init(try StructuredQuery(query), parent: parent, aggregations)
  }
}

extension Aggregation {
  /// - Throws: `INVALID_ARGUMENT`.
  package init(
    _ message: V1.StructuredAggregationQuery.Aggregation
  ) throws(FirestoreError) {
    let operation: Operation
    switch message.operator {
    case .count(let count)?: operation = .count(upTo: count.upTo)
    case .sum(let sum)?: operation = .sum(try FieldPath(sum.field))
    case .avg(let average)?: operation = .average(try FieldPath(average.field))
    case nil: throw .invalidArgument("Operator field in Aggregation is not set.")
    }
    self.init(alias: UTF8String(message.alias), operation)
  }
}

extension V1.AggregationResult {
  /// The results by alias.
  package init(_ values: [(alias: UTF8String, value: FirestoreModel.Value)]) {
    self.init()
    for (alias, value) in values {
      aggregateFields.append(MapEntry(key: alias.string, value: V1.Value(value)))
    }
  }
}
