/// Conditions that hold together: one of the alternatives of a filter.
package struct Conjunction: Sendable {
  /// A condition on one field.
  package struct Term: Sendable {
    package var path: FieldPath
    package var condition: Filter.Condition
  }

  package var terms: [Term]

  /// `terms` may be empty: then everything is met.
  package init(_ terms: [Term] = []) {
    self.terms = terms
  }
}

extension Filter {
  /// The alternatives of a checked filter: AND distributed over OR, IN and ARRAY_CONTAINS_ANY taken as ORs of their elements.
  /// What passes the filter meets all terms of one at least. Alternatives that nothing can meet are left out.
  package var conjunctions: [Conjunction] {
    alternatives.filter { !$0.contains { $0.condition.isImpossible } }.map(Conjunction.init)
  }

  private var alternatives: [[Conjunction.Term]] {
    switch self {
    case .or(let filters): filters.flatMap(\.alternatives)
    case .and(let filters):
      filters.reduce([[]]) { product, filter in
        let factors = filter.alternatives
        return product.flatMap { terms in factors.map { terms + $0 } }
      }
    case .field(let path, .in(let values)):
      values.map { [Conjunction.Term(path: path, condition: .equal($0))] }
    case .field(let path, .arrayContainsAny(let values)):
      values.map { [Conjunction.Term(path: path, condition: .arrayContains($0))] }
    case .field(let path, let condition): [[Conjunction.Term(path: path, condition: condition)]]
    }
  }
}

extension Filter.Condition {
  /// Whether no value at all passes.
  fileprivate var isImpossible: Bool {
    switch self {
    case .equal(let operand), .lessThan(let operand), .lessThanOrEqual(let operand),
      .greaterThan(let operand), .greaterThanOrEqual(let operand), .arrayContains(let operand):
      operand.isNull || operand.isNaN
    case .notEqual(let operand): operand.isNull
    case .in(let operands), .arrayContainsAny(let operands):
      operands.allSatisfy { $0.isNull || $0.isNaN }
    case .notIn(let operands): operands.contains(where: \.isNull)
    case .isNull, .isNotNull, .isNaN, .isNotNaN: false
    }
  }
}
