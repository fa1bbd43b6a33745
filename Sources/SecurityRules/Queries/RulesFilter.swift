/// The filter of a query as rules see it.
package indirect enum RulesFilter: Sendable {
  package enum Comparison: Sendable {
    case equal, notEqual, lessThan, lessThanOrEqual, greaterThan, greaterThanOrEqual
    case contains, containsAny, isIn, isNotIn
  }

  case and([RulesFilter])
  case or([RulesFilter])
  /// A field, by the names from the outermost on, and what it is compared with: a list for the last three comparisons.
  case field([String], Comparison, RulesValue)
}

/// A condition of a disjunct: of a filter that needs no case to be distinguished.
struct RulesCondition {
  var field: [String]
  var comparison: RulesFilter.Comparison
  var value: RulesValue

  /// Whether it speaks of the names of documents.
  var isName: Bool { field.count == 1 && field[0] == "__name__" }
}

extension RulesFilter {
  /// More cases are not distinguished; production takes 30.
  static let maximumDisjuncts = 100

  /// The cases of the filter, each a list of conditions that hold together; `nil` if they are too many.
  ///
  /// Goes down as deep as the filter is, which the service bounds.
  var disjuncts: [[RulesCondition]]? {
    switch self {
    case .field(let field, .isIn, .list(let values)):
      return values.map { [RulesCondition(field: field, comparison: .equal, value: $0)] }
    case .field(let field, .containsAny, .list(let values)):
      return values.map { [RulesCondition(field: field, comparison: .contains, value: $0)] }
    case .field(let field, .isNotIn, .list(let values)):
      return [values.map { RulesCondition(field: field, comparison: .notEqual, value: $0) }]
    case .field(let field, let comparison, let value):
      return [[RulesCondition(field: field, comparison: comparison, value: value)]]
    case .or(let filters):
      var cases: [[RulesCondition]] = []
      for filter in filters {
        guard let inner = filter.disjuncts else { return nil }
        cases += inner
        guard cases.count <= Self.maximumDisjuncts else { return nil }
      }
      return cases
    case .and(let filters):
      var cases: [[RulesCondition]] = [[]]
      for filter in filters {
        guard let inner = filter.disjuncts else { return nil }
        cases = cases.flatMap { conditions in inner.map { conditions + $0 } }
        guard cases.count <= Self.maximumDisjuncts else { return nil }
      }
      return cases
    }
  }
}
