/// Equality and order, of values and of what filters say of them.
enum Comparison {
  private static let comparable =
    "bool,duration,float,int,latlng,map,null,string,bytes,timestamp,path,list,vector,set"

  /// `==`. Filters never prove an equality here: they would have given the value itself.
  static func areEqual(
    _ left: RulesValue, _ right: RulesValue
  ) throws(EvaluationFailure) -> Bool {
    switch (left.isConstraint, right.isConstraint) {
    case (true, true): throw .type("constraint", comparable)
    case (true, false), (false, true): throw .unknown
    case (false, false): return left.isEqual(to: right)
    }
  }

  /// What the filters say of `!=`.
  enum Proof {
    case proved
    case open

    func value() throws(EvaluationFailure) -> RulesValue {
      switch self {
      case .proved: return .bool(true)
      case .open: throw .unknown
      }
    }
  }

  /// `nil` if neither side, or if both sides come from filters.
  static func provesDifference(_ left: RulesValue, _ right: RulesValue) -> Proof? {
    if case .constraint(let constraints) = left, !right.isConstraint {
      return difference(constraints, right)
    }
    if case .constraint(let constraints) = right, !left.isConstraint {
      return difference(constraints, left)
    }
    return nil
  }

  private static func difference(
    _ constraints: [RulesConstraint], _ value: RulesValue
  ) -> Proof {
    if case .null = value { return .proved }
    let isProved = constraints.contains { constraint in
      switch constraint.comparator {
      case .notEqual: constraint.value.isIdentical(to: value)
      case .lessThan: holds(.greaterOrEqual, value, constraint.value)
      case .lessThanOrEqual: holds(.greater, value, constraint.value)
      case .greaterThan: holds(.lessOrEqual, value, constraint.value)
      case .greaterThanOrEqual: holds(.less, value, constraint.value)
      case .contains: false
      }
    }
    return isProved ? .proved : .open
  }

  /// `<`, `<=`, `>`, `>=`.
  static func compare(
    _ sign: BinaryOperator, _ left: RulesValue, _ right: RulesValue
  ) throws(EvaluationFailure) -> Bool {
    if case .constraint(let constraints) = left {
      guard !right.isConstraint, constraints.contains(where: { proves($0, sign, right) }) else {
        throw .unknown
      }
      return true
    }
    if case .constraint(let constraints) = right {
      guard constraints.contains(where: { proves($0, mirrored(sign), left) }) else {
        throw .unknown
      }
      return true
    }
    guard let order = order(left, right) else { throw Arithmetic.unsupported(sign, left, right) }
    return order.satisfies(sign)
  }

  /// Whether a filter implies that its field stands so to `value`.
  private static func proves(
    _ constraint: RulesConstraint, _ sign: BinaryOperator, _ value: RulesValue
  ) -> Bool {
    switch constraint.comparator {
    case .lessThan:
      (sign == .less || sign == .lessOrEqual) && holds(.lessOrEqual, constraint.value, value)
    case .lessThanOrEqual:
      (sign == .less || sign == .lessOrEqual) && holds(sign, constraint.value, value)
    case .greaterThan:
      (sign == .greater || sign == .greaterOrEqual)
        && holds(.greaterOrEqual, constraint.value, value)
    case .greaterThanOrEqual:
      (sign == .greater || sign == .greaterOrEqual) && holds(sign, constraint.value, value)
    case .notEqual, .contains: false
    }
  }

  /// A comparison of two known values; of numbers of different kinds only an integer filter against a float.
  private static func holds(
    _ sign: BinaryOperator, _ left: RulesValue, _ right: RulesValue
  ) -> Bool {
    if case (.float, .int) = (left, right) { return false }
    return order(left, right)?.satisfies(sign) ?? false
  }

  private static func mirrored(_ sign: BinaryOperator) -> BinaryOperator {
    switch sign {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .add, .subtract, .multiply, .divide, .remainder, .equal, .notEqual, .contained: sign
    }
  }

  /// How two values stand to each other; NaN stands in no order.
  enum Order {
    case less, equal, greater, none

    func satisfies(_ sign: BinaryOperator) -> Bool {
      switch sign {
      case .less: self == .less
      case .lessOrEqual: self == .less || self == .equal
      case .greater: self == .greater
      case .greaterOrEqual: self == .greater || self == .equal
      case .add, .subtract, .multiply, .divide, .remainder, .equal, .notEqual, .contained: false
      }
    }
  }

  private static func order<Ordered: Comparable>(_ left: Ordered, _ right: Ordered) -> Order {
    left < right ? .less : left > right ? .greater : left == right ? .equal : .none
  }

  /// `nil` for types that have no order, or none between them.
  private static func order(_ left: RulesValue, _ right: RulesValue) -> Order? {
    switch (left, right) {
    case (.int(let first), .int(let second)): order(first, second)
    case (.int(let first), .float(let second)): order(Double(first), second)
    case (.float(let first), .int(let second)): order(first, Double(second))
    case (.float(let first), .float(let second)): order(first, second)
    case (.string(let first), .string(let second)):
      sequenceOrder(first.utf16, second.utf16)
    case (.bytes(let first), .bytes(let second)): sequenceOrder(first, second)
    case (.duration(let first), .duration(let second)): order(first, second)
    case (.timestamp(let first), .timestamp(let second)): order(first, second)
    case (.null, _), (.bool, _), (.int, _), (.float, _), (.string, _), (.bytes, _), (.list, _),
      (.map, _), (.set, _), (.mapDiff, _), (.path, _), (.timestamp, _), (.duration, _),
      (.latlng, _), (.vector, _), (.constraint, _), (.unknown, _):
      nil
    }
  }

  private static func sequenceOrder<Units: Sequence>(
    _ left: Units, _ right: Units
  ) -> Order where Units.Element: Comparable {
    left.elementsEqual(right)
      ? .equal : left.lexicographicallyPrecedes(right) ? .less : .greater
  }
}
