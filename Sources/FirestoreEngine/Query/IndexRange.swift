internal import FirestoreModel
internal import KeyValue

/// A place between keys: before or behind all that begin with some bytes.
private struct Cut {
  var bytes: [UInt8]
  var isBehind: Bool

  static func before(_ bytes: [UInt8]) -> Cut { Cut(bytes: bytes, isBehind: false) }
  static func behind(_ bytes: [UInt8]) -> Cut { Cut(bytes: bytes, isBehind: true) }

  /// The same place where all bits are turned.
  var turned: Cut { Cut(bytes: bytes.map { ~$0 }, isBehind: !isBehind) }
}

/// What the conditions and cursors of a query leave of the entries of an index that begin with the fixed values of a branch.
struct IndexRange {
  /// Of entries, without their prefix.
  private var lower: [UInt8] = []
  private var upper: [UInt8]?
  private var isEmpty = false
  /// Whether every entry in the range stands for a result, so that no document has to be looked at.
  private(set) var isExact = true

  /// Whether anything is left out.
  var isWhole: Bool { lower.isEmpty && upper == nil && !isEmpty }

  /// The range of keys; `nil` for none.
  func keys(behind prefix: [UInt8]) -> KeyRange? {
    let end = upper.map { prefix + $0 } ?? KeyPrefix.end(of: prefix)
    let range = KeyRange(from: prefix + lower, to: end)
    return isEmpty || range.isEmpty ? nil : range
  }

  /// `fixed` are the fields of the prefix, `rest` those behind it, in the orders of the query if `isInOrder`.
  init(
    _ branch: QueryBranch, of query: Query, fixed: [QueryBranch.Fixed],
    rest: [IndexShape.Field], isInOrder: Bool
  ) {
    for term in branch.terms { narrow(by: term, fixed, rest) }
    guard isInOrder else {
      isExact = false
      return
    }
    let isDescending = query.nameDirection == .descending
    for (cursor, isStart) in [(query.start, true), (query.end, false)] {
      guard let cursor else { continue }
      var cut = Self.cut(cursor, query, branch, rest)
      if isDescending { cut.isBehind.toggle() }
      if isStart == isDescending { reduce(to: cut) } else { raise(to: cut) }
    }
  }

  private mutating func raise(to cut: Cut) {
    guard let key = cut.isBehind ? KeyPrefix.end(of: cut.bytes) : cut.bytes else {
      isEmpty = true
      return
    }
    if lower.lexicographicallyPrecedes(key) { lower = key }
  }

  private mutating func reduce(to cut: Cut) {
    guard !cut.bytes.isEmpty else {
      if !cut.isBehind { isEmpty = true }
      return
    }
    guard let key = cut.isBehind ? KeyPrefix.end(of: cut.bytes) : cut.bytes else { return }
    if upper.map(key.lexicographicallyPrecedes) ?? true { upper = key }
  }

  // MARK: - Conditions

  private mutating func narrow(
    by term: Conjunction.Term, _ fixed: [QueryBranch.Fixed], _ rest: [IndexShape.Field]
  ) {
    if term.path.isDocumentName {
      narrowNames(by: term.condition, isFirst: rest.isEmpty)
    } else if let value = term.fixedValue {
      let part: IndexShape.Part =
        if case .arrayContains = term.condition { .element } else { .ascending }
      let isConsumed = fixed.contains {
        $0.field == IndexShape.Field(path: term.path, part: part)
          && Value.isEquivalent($0.value, value)
      }
      if !isConsumed || !value.isShort { isExact = false }
    } else if let field = rest.first, field.path == term.path, field.part != .element {
      let bounds = term.condition.bounds
      if !bounds.areExact { isExact = false }
      for (cut, isLower) in [(bounds.lower, true), (bounds.upper, false)] {
        guard let cut else { continue }
        let isTurned = field.part == .descending
        if isLower == isTurned {
          reduce(to: isTurned ? cut.turned : cut)
        } else {
          raise(to: isTurned ? cut.turned : cut)
        }
      }
    } else {
      isExact = false
    }
  }

  private mutating func narrowNames(by condition: Filter.Condition, isFirst: Bool) {
    guard isFirst, case .reference(let name)? = condition.operands.first else {
      isExact = false
      return
    }
    let key = IndexEntry.name(name.path)
    switch condition {
    case .equal:
      raise(to: .before(key))
      reduce(to: .behind(key))
    case .greaterThan: raise(to: .behind(key))
    case .greaterThanOrEqual: raise(to: .before(key))
    case .lessThan: reduce(to: .before(key))
    case .lessThanOrEqual: reduce(to: .behind(key))
    case .notEqual, .arrayContains, .in, .arrayContainsAny, .notIn, .isNull, .isNotNull, .isNaN,
      .isNotNaN:
      isExact = false
    }
  }

  // MARK: - Cursors

  /// Where a cursor cuts the entries of a branch; what lies behind it comes later in the order of the query.
  private static func cut(
    _ cursor: Query.Cursor, _ query: Query, _ branch: QueryBranch, _ rest: [IndexShape.Field]
  ) -> Cut {
    var bytes: [UInt8] = []
    for (value, order) in zip(cursor.values, query.orders) {
      if order.path.isDocumentName {
        if case .reference(let name) = value { bytes += IndexEntry.name(name.path) }
      } else if let field = rest.first(where: { $0.path == order.path }) {
        bytes += field.key(of: value)
      } else if let fixed = branch.value(of: order.path) {
        let (own, other) = (ValueKey.encode(fixed.indexed), ValueKey.encode(value.indexed))
        guard own == other else {
          // All entries are on one side.
          let isBehind = own.lexicographicallyPrecedes(other) == (order.direction == .ascending)
          return Cut(bytes: bytes, isBehind: isBehind)
        }
      }
    }
    return Cut(bytes: bytes, isBehind: !cursor.isBefore)
  }
}

extension QueryBranch {
  /// The value that a field has in all results.
  func value(of path: FieldPath) -> Value? {
    fixed.first { $0.field.path == path && $0.field.part == .ascending }?.value
  }
}

extension Value {
  /// Whether no longer value has the same beginning in an index.
  fileprivate var isShort: Bool {
    switch self {
    case .null, .boolean, .integer, .double, .timestamp, .geoPoint: true
    case .string, .bytes: storageSize < Limits.indexedBytes - 100
    case .reference, .array, .vector, .map: false
    }
  }
}

extension Filter.Condition {
  /// The parts that the values which pass lie between.
  fileprivate var bounds: (lower: Cut?, upper: Cut?, areExact: Bool) {
    switch self {
    case .lessThan(let value), .lessThanOrEqual(let value), .greaterThan(let value),
      .greaterThanOrEqual(let value):
      return bounds(by: value)
    case .isNotNull: return (.behind(ValueKey.encode(.null)), nil, true)
    case .notEqual, .notIn, .isNotNaN: return (.behind(ValueKey.encode(.null)), nil, false)
    case .equal, .arrayContains, .in, .arrayContainsAny, .isNull, .isNaN: return (nil, nil, false)
    }
  }

  private func bounds(by value: Value) -> (lower: Cut?, upper: Cut?, areExact: Bool) {
    let type = [value.typeClass.rawValue]
    let start: Cut = value.isNumber ? .behind(ValueKey.encode(.double(.nan))) : .before(type)
    // The beginnings of long values of these types do not sort as the values do.
    switch value {
    case .null, .reference, .array, .vector, .map: return (start, .behind(type), false)
    case .boolean, .integer, .double, .timestamp, .string, .bytes, .geoPoint: break
    }
    let key = ValueKey.encode(value.indexed)
    switch self {
    case .lessThan: return (start, .before(key), true)
    case .lessThanOrEqual: return (start, .behind(key), value.isShort)
    case .greaterThan:
      return (value.isShort ? .behind(key) : .before(key), .behind(type), value.isShort)
    case .greaterThanOrEqual: return (.before(key), .behind(type), true)
    case .equal, .notEqual, .arrayContains, .in, .arrayContainsAny, .notIn, .isNull, .isNotNull,
      .isNaN, .isNotNaN:
      return (start, .behind(type), false)
    }
  }
}

extension Value {
  fileprivate var isNumber: Bool { typeClass == .number }
}
