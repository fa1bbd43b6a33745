internal import FirestoreModel

/// Part of the order of names: `NameKey`s from `lower` on, below `upper` if there is one.
struct NameRange: Hashable, Sendable {
  var lower: [UInt8] = []
  var upper: [UInt8]?

  /// The parts in which all results of `query` lie, in order and apart: what its conditions and cursors say about names.
  static func ranges(of query: Query) -> [NameRange] {
    var range = NameRange()
    var names: [DocumentPath]?
    for (path, condition) in query.filter?.required ?? [] where path.isDocumentName {
      if let named = condition.names {
        names = names.map { $0.filter(Set(named).contains) } ?? named
      } else {
        range.narrow(by: condition)
      }
    }
    if query.isInNameOrder { range.narrow(by: query) }
    guard let names else { return range.isEmpty ? [] : [range] }
    return Set(names.map(NameKey.document)).sorted { $0.lexicographicallyPrecedes($1) }
      .filter(range.contains)
      .map { NameRange(lower: $0, upper: KeyPrefix.next(after: $0)) }
  }

  private var isEmpty: Bool { upper.map { !lower.lexicographicallyPrecedes($0) } ?? false }

  private func contains(_ key: [UInt8]) -> Bool {
    !key.lexicographicallyPrecedes(lower) && (upper.map(key.lexicographicallyPrecedes) ?? true)
  }

  private mutating func narrow(by condition: Filter.Condition) {
    guard case .reference(let name)? = condition.operands.first else { return }
    let key = NameKey.document(name.path)
    switch condition {
    case .greaterThan: raise(to: KeyPrefix.next(after: key))
    case .greaterThanOrEqual: raise(to: key)
    case .lessThan: reduce(to: key)
    case .lessThanOrEqual: reduce(to: KeyPrefix.next(after: key))
    case .equal, .notEqual, .arrayContains, .in, .arrayContainsAny, .notIn, .isNull, .isNotNull,
      .isNaN, .isNotNaN:
      break
    }
  }

  private mutating func narrow(by query: Query) {
    let isDescending = query.orders.last?.direction == .descending
    for (cursor, isStart) in [(query.start, true), (query.end, false)] {
      guard let cursor, case .reference(let name)? = cursor.values.first else { continue }
      let key = NameKey.document(name.path)
      let position = cursor.isBefore == isDescending ? KeyPrefix.next(after: key) : key
      if isStart == isDescending { reduce(to: position) } else { raise(to: position) }
    }
  }

  private mutating func raise(to key: [UInt8]) {
    if lower.lexicographicallyPrecedes(key) { lower = key }
  }

  private mutating func reduce(to key: [UInt8]) {
    if upper.map(key.lexicographicallyPrecedes) ?? true { upper = key }
  }
}

extension Filter.Condition {
  /// The names that the condition admits; `nil` if it is none that lists names.
  fileprivate var names: [DocumentPath]? {
    switch self {
    case .equal, .in:
      operands.compactMap { operand in
        if case .reference(let name) = operand { name.path } else { nil }
      }
    case .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
      .arrayContains, .arrayContainsAny, .notIn, .isNull, .isNotNull, .isNaN, .isNotNaN:
      nil
    }
  }
}
