internal import FirestoreModel

/// One alternative of a query as an index sees it: fields with fixed values, then fields in order.
struct QueryBranch: Sendable {
  /// A field, or an element of an array, that has one value in all results.
  struct Fixed: Sendable {
    var field: IndexShape.Field
    var value: Value
  }

  /// By path, elements last; each field once.
  let fixed: [Fixed]
  /// The orders of the query but for those of fixed fields, turned so that the names ascend.
  let orders: [IndexShape.Field]
  let terms: [Conjunction.Term]

  init(_ conjunction: Conjunction, of query: Query) {
    var fixed: [IndexShape.Field: Fixed] = [:]
    for term in conjunction.terms {
      guard let value = term.fixedValue, !term.path.isDocumentName else { continue }
      let part: IndexShape.Part =
        if case .arrayContains = term.condition { .element } else { .ascending }
      let field = IndexShape.Field(path: term.path, part: part)
      if fixed[field] == nil { fixed[field] = Fixed(field: field, value: value) }
    }
    self.fixed = fixed.values.sorted { left, right in
      guard left.field.part == right.field.part else { return right.field.part == .element }
      return FieldPath.compare(left.field.path, right.field.path) == .ascending
    }
    self.orders = query.orders.dropLast().compactMap { order in
      guard fixed[IndexShape.Field(path: order.path, part: .ascending)] == nil else { return nil }
      return IndexShape.Field(
        path: order.path, part: IndexShape.Part(order.direction, names: query.nameDirection))
    }
    self.terms = conjunction.terms
  }

  /// The fields of the index that serves the alternative best; none if names alone do.
  var indexFields: [IndexShape.Field] { fixed.map(\.field) + orders }
}

extension Conjunction.Term {
  /// The one value that the field, or an element of it, has.
  var fixedValue: Value? {
    switch condition {
    case .equal(let value), .arrayContains(let value): value
    case .isNull: .null
    case .isNaN: .double(.nan)
    case .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .in,
      .arrayContainsAny, .notIn, .isNotNull, .isNotNaN:
      nil
    }
  }
}
