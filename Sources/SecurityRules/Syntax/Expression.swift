/// The place of an expression in its ruleset's table.
package typealias ExpressionID = Int

/// An expression with its place in the source; its parts are named by their places in the table, so that no tree
/// of any depth is walked to copy or to free it.
struct Expression: Sendable {
  enum Kind: Sendable {
    case literal(RulesValue)
    case list([ExpressionID])
    case map([MapEntry])
    case path([PathPart])
    case variable(String)
    /// A function by its name: of the ruleset, built in, or of a namespace (`math.abs`).
    case call(String, [ExpressionID])
    case method(ExpressionID, String, [ExpressionID])
    case member(ExpressionID, String)
    case element(ExpressionID, ExpressionID)
    case slice(ExpressionID, ExpressionID?, ExpressionID?)
    case not(ExpressionID)
    case negate(ExpressionID)
    case and(ExpressionID, ExpressionID)
    case or(ExpressionID, ExpressionID)
    case binary(BinaryOperator, ExpressionID, ExpressionID)
    case typeTest(ExpressionID, TypeTest)
    case conditional(ExpressionID, ExpressionID, ExpressionID)
  }

  struct MapEntry: Sendable {
    var key: ExpressionID
    var value: ExpressionID
  }

  enum PathPart: Sendable {
    case text(String)
    case value(ExpressionID)
    case capture(String)
    case glob(String)
  }

  var kind: Kind
  /// All of it; parentheses around it are not part of it.
  var range: SourceRange
  /// The operator or the name: what a message points at.
  var mark: SourceRange

  /// The parts in the order of the source.
  var children: [ExpressionID] {
    switch kind {
    case .literal, .variable: []
    case .list(let items): items
    case .map(let entries): entries.flatMap { [$0.key, $0.value] }
    case .path(let parts):
      parts.compactMap { part in
        if case .value(let id) = part { id } else { nil }
      }
    case .call(_, let arguments): arguments
    case .method(let receiver, _, let arguments): [receiver] + arguments
    case .member(let base, _), .typeTest(let base, _), .not(let base), .negate(let base): [base]
    case .element(let base, let index): [base, index]
    case .slice(let base, let start, let end): [base] + [start, end].compactMap(\.self)
    case .and(let left, let right), .or(let left, let right), .binary(_, let left, let right):
      [left, right]
    case .conditional(let condition, let first, let second): [condition, first, second]
    }
  }
}

/// The operators with two sides whose operands are both always evaluated.
enum BinaryOperator: String, Sendable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case remainder = "%"
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case equal = "=="
  case notEqual = "!="
  case contained = "in"
}
