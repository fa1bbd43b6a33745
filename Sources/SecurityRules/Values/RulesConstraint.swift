/// One thing that a filter says of a field.
package struct RulesConstraint: Sendable {
  package enum Comparator: String, Sendable {
    case lessThan = "LT"
    case lessThanOrEqual = "LTE"
    case greaterThan = "GT"
    case greaterThanOrEqual = "GTE"
    case notEqual = "NEQ"
    case contains = "LIST_CONTAINS"
  }

  package var comparator: Comparator
  package var value: RulesValue

  package init(_ comparator: Comparator, _ value: RulesValue) {
    self.comparator = comparator
    self.value = value
  }
}
