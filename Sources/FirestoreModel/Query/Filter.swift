/// What documents a query wants: a tree of conditions on fields.
package indirect enum Filter: Hashable, Sendable {
  /// Holds if all hold; without members always.
  case and([Filter])
  /// Holds if one holds.
  case or([Filter])
  case field(FieldPath, Condition)

  /// What a field must be like. `__name__` counts as a field that holds the reference to its document.
  package enum Condition: Hashable, Sendable {
    case equal(Value)
    case notEqual(Value)
    case lessThan(Value)
    case lessThanOrEqual(Value)
    case greaterThan(Value)
    case greaterThanOrEqual(Value)
    case arrayContains(Value)
    case `in`([Value])
    case arrayContainsAny([Value])
    case notIn([Value])
    case isNull
    case isNotNull
    case isNaN
    case isNotNaN
  }

  /// Whether `document` passes.
  ///
  /// - Throws: `DATA_LOSS` if it can't be read.
  package func matches(_ document: Document) throws(FirestoreError) -> Bool {
    switch self {
    case .and(let filters):
      for filter in filters where try !filter.matches(document) { return false }
      return true
    case .or(let filters):
      for filter in filters where try filter.matches(document) { return true }
      return false
    case .field(let path, let condition):
      guard let value = try document.value(at: path) else { return false }
      return condition.holds(for: value)
    }
  }

  /// The conditions in the tree.
  package var conditions: [(path: FieldPath, condition: Condition)] {
    switch self {
    case .and(let filters), .or(let filters): filters.flatMap(\.conditions)
    case .field(let path, let condition): [(path, condition)]
    }
  }

  /// The conditions that every match meets.
  package var required: [(path: FieldPath, condition: Condition)] {
    switch self {
    case .and(let filters): filters.flatMap(\.required)
    case .or(let filters): filters.count == 1 ? filters[0].required : []
    case .field(let path, let condition): [(path, condition)]
    }
  }
}

extension Filter.Condition {
  /// Whether an existing field with this value passes. Null and NaN as operands match nothing but where a unary
  /// condition names them.
  package func holds(for value: Value) -> Bool {
    switch self {
    case .equal(let operand): Self.equals(value, operand)
    case .notEqual(let operand):
      !value.isNull && !operand.isNull && (operand.isNaN || !Value.isEquivalent(value, operand))
    case .lessThan(let operand): Self.compare(value, operand) { $0 == .ascending }
    case .lessThanOrEqual(let operand): Self.compare(value, operand) { $0 != .descending }
    case .greaterThan(let operand): Self.compare(value, operand) { $0 == .descending }
    case .greaterThanOrEqual(let operand): Self.compare(value, operand) { $0 != .ascending }
    case .arrayContains(let operand): Self.contains(value) { Self.equals($0, operand) }
    case .in(let operands): operands.contains { Self.equals(value, $0) }
    case .arrayContainsAny(let operands):
      Self.contains(value) { element in operands.contains { Self.equals(element, $0) } }
    case .notIn(let operands):
      !value.isNull
        && operands.allSatisfy { !$0.isNull && ($0.isNaN || !Value.isEquivalent(value, $0)) }
    case .isNull: value.isNull
    case .isNotNull: !value.isNull
    case .isNaN: value.isNaN
    case .isNotNaN: !value.isNull && !value.isNaN
    }
  }

  /// Whether the condition makes its field part of the order. One that nothing can meet does not.
  package var isInequality: Bool {
    switch self {
    case .lessThan(let operand), .lessThanOrEqual(let operand), .greaterThan(let operand),
      .greaterThanOrEqual(let operand):
      !operand.isNull && !operand.isNaN
    case .notEqual(let operand): !operand.isNull
    case .notIn(let operands): operands.count != 1 || !operands[0].isNull
    case .isNotNull, .isNotNaN: true
    case .equal, .arrayContains, .in, .arrayContainsAny, .isNull, .isNaN: false
    }
  }

  private static func equals(_ value: Value, _ operand: Value) -> Bool {
    !operand.isNull && !operand.isNaN && Value.isEquivalent(value, operand)
  }

  /// Ranges are within the types of one class.
  private static func compare(
    _ value: Value, _ operand: Value, _ isWanted: (Ordering) -> Bool
  ) -> Bool {
    guard value.typeClass == operand.typeClass, !operand.isNull, !operand.isNaN, !value.isNaN
    else { return false }
    return isWanted(Value.compare(value, operand))
  }

  private static func contains(_ value: Value, _ isWanted: (Value) -> Bool) -> Bool {
    guard case .array(let elements) = value else { return false }
    return elements.contains(where: isWanted)
  }
}

extension Document {
  /// The value at `path`; for `__name__` the reference to the document itself.
  ///
  /// - Throws: `DATA_LOSS` if the document can't be read.
  package func value(at path: FieldPath) throws(FirestoreError) -> Value? {
    path.isDocumentName ? .reference(name) : try fields.value(at: path)
  }
}
