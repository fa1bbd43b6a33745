// The normal form of a filter: AND is distributed over OR, where IN and ARRAY_CONTAINS_ANY are ORs of their elements. What
// repeats counts once, as the official emulator counts.

extension Filter {
  /// A condition as the normal form has it.
  private struct Term: Hashable {
    let path: FieldPath
    let condition: Condition
  }

  private static let termLimit = 100
  /// Of filters with more conditions, and of conjunctions beyond this, repetitions are not looked for.
  private static let (treeLimit, conjunctionLimit) = (1_000, 256)

  /// How many different conditions the normal form has.
  var distinctConditions: Int {
    let count = normalForm.conditions
    return count > Self.termLimit ? termIndexes.count : count
  }

  /// How many different conjunctions the normal form has.
  var disjunctions: Int {
    let count = normalForm.disjunctions
    guard count > 30, conditions.count <= Self.treeLimit else { return count }
    let indexes = termIndexes
    guard indexes.count <= Self.termLimit else { return count }
    return conjunctions(indexes)?.count ?? count
  }

  private var termIndexes: [Term: Int] {
    var indexes: [Term: Int] = [:]
    for (path, condition) in conditions {
      for term in Self.terms(path, condition) where indexes[term] == nil {
        indexes[term] = indexes.count
      }
    }
    return indexes
  }

  /// The conjunctions, with a bit for each of their terms; `nil` if there are too many.
  private func conjunctions(_ indexes: [Term: Int]) -> Set<UInt128>? {
    var result: Set<UInt128>
    switch self {
    case .or(let filters):
      result = []
      for filter in filters {
        guard let part = filter.conjunctions(indexes) else { return nil }
        result.formUnion(part)
        guard result.count <= Self.conjunctionLimit else { return nil }
      }
    case .and(let filters):
      result = [0]
      for filter in filters {
        guard let part = filter.conjunctions(indexes) else { return nil }
        result = Set(result.lazy.flatMap { left in part.lazy.map { left | $0 } })
        guard result.count <= Self.conjunctionLimit else { return nil }
      }
    case .field(let path, let condition):
      result = Set(Self.terms(path, condition).map { 1 << (indexes[$0] ?? 0) })
    }
    return result
  }

  private static func terms(_ path: FieldPath, _ condition: Condition) -> [Term] {
    switch condition {
    case .in(let values): values.map { Term(path: path, condition: .equal($0)) }
    case .arrayContainsAny(let values):
      values.map { Term(path: path, condition: .arrayContains($0)) }
    case .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .notIn,
      .arrayContains, .isNull, .isNotNull, .isNaN, .isNotNaN:
      [Term(path: path, condition: condition)]
    }
  }

  /// The sizes with repetitions, which are never smaller. Saturates.
  private var normalForm: (disjunctions: Int, conditions: Int) {
    switch self {
    case .or(let filters):
      return filters.map(\.normalForm).reduce((0, 0)) { sum, part in
        (Self.add(sum.0, part.disjunctions), Self.add(sum.1, part.conditions))
      }
    case .and(let filters):
      return filters.map(\.normalForm).reduce((1, 0)) { product, part in
        (
          Self.multiply(product.0, part.disjunctions),
          Self.add(
            Self.multiply(product.1, part.disjunctions), Self.multiply(part.conditions, product.0))
        )
      }
    case .field(_, .in(let values)), .field(_, .arrayContainsAny(let values)):
      return (values.count, values.count)
    case .field: return (1, 1)
    }
  }

  private static func add(_ left: Int, _ right: Int) -> Int {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : sum
  }

  private static func multiply(_ left: Int, _ right: Int) -> Int {
    let (product, overflow) = left.multipliedReportingOverflow(by: right)
    return overflow ? .max : product
  }
}
