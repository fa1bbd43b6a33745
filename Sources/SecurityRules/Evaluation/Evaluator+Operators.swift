internal import Coding

extension Evaluator {
  @inline(never)
  mutating func binary(
    _ sign: BinaryOperator, _ left: ExpressionID, _ right: ExpressionID, _ frame: Frame
  ) throws(EvaluationFailure) -> RulesValue {
    if sign == .contained { return try contained(left, right, frame) }
    let first = try evaluate(left, frame)
    let second = try evaluate(right, frame)
    switch sign {
    case .equal: return .bool(try Comparison.areEqual(first, second))
    case .notEqual:
      if let proof = Comparison.provesDifference(first, second) { return try proof.value() }
      return .bool(!(try Comparison.areEqual(first, second)))
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return .bool(try Comparison.compare(sign, first, second))
    case .add, .subtract, .multiply, .divide, .remainder, .contained:
      return try Arithmetic.apply(sign, first, second).bounded()
    }
  }

  /// `in`: what is no collection fails whatever the left side is.
  private mutating func contained(
    _ left: ExpressionID, _ right: ExpressionID, _ frame: Frame
  ) throws(EvaluationFailure) -> RulesValue {
    let element: Result<RulesValue, EvaluationFailure>
    do throws(EvaluationFailure) { element = .success(try evaluate(left, frame)) } catch {
      element = .failure(error)
    }
    let collection: RulesValue
    do throws(EvaluationFailure) { collection = try evaluate(right, frame) } catch {
      _ = try element.get()
      throw error
    }
    switch collection {
    case .list(let list):
      let value = try element.get()
      return .bool(list.contains { $0.isIdentical(to: value) })
    case .set(let set):
      let value = try element.get()
      return .bool(set.contains { $0.isEqual(to: value) })
    case .map(let map):
      let value = try element.get()
      guard case .string(let key) = value else {
        throw .unsupported("map.in(\(value.typeName))", "map.in(string)")
      }
      return .bool(map[key] != nil)
    case .constraint(let constraints):
      let value = try element.get()
      let proves = constraints.contains {
        $0.comparator == .contains && $0.value.isIdentical(to: value)
      }
      guard proves else { throw .unknown }
      return .bool(true)
    case .null: throw .null
    case .bool, .int, .float, .string, .bytes, .mapDiff, .path, .timestamp, .duration, .latlng,
      .vector, .unknown:
      throw .noFunction("in")
    }
  }
}

/// The arithmetic of the language.
enum Arithmetic {
  static func negated(_ value: RulesValue) throws(EvaluationFailure) -> RulesValue {
    switch value {
    case .int(let number):
      guard number != .min else { throw .integerRange }
      return .int(-number)
    case .float(let number): return .float(-number)
    case .duration(let duration): return try Self.duration(-duration.total)
    case .null, .bool, .string, .bytes, .list, .map, .set, .mapDiff, .path, .timestamp, .latlng,
      .vector, .constraint, .unknown:
      throw .unsupported("-\(value.typeName)", "-int, -float, -duration")
    }
  }

  static func apply(
    _ sign: BinaryOperator, _ left: RulesValue, _ right: RulesValue
  ) throws(EvaluationFailure) -> RulesValue {
    switch (left, right) {
    case (.int(let first), .int(let second)): return .int(try integer(sign, first, second))
    case (.int(let first), .float(let second)): return .float(float(sign, Double(first), second))
    case (.float(let first), .int(let second)): return .float(float(sign, first, Double(second)))
    case (.float(let first), .float(let second)): return .float(float(sign, first, second))
    case (.string(let first), .string(let second)) where sign == .add:
      return .string(first + second)
    case (.duration(let first), .duration(let second)) where sign == .add:
      return try duration(first.total + second.total)
    case (.duration(let first), .duration(let second)) where sign == .subtract:
      return try duration(first.total - second.total)
    case (.timestamp(let time), .duration(let span)) where sign == .add:
      return try timestamp(time.nanoseconds + span.total)
    case (.timestamp(let time), .duration(let span)) where sign == .subtract:
      return try timestamp(time.nanoseconds - span.total)
    case (.duration(let span), .timestamp(let time)) where sign == .add:
      return try timestamp(time.nanoseconds + span.total)
    case (.timestamp(let first), .timestamp(let second)) where sign == .subtract:
      return try duration(first.nanoseconds - second.nanoseconds)
    case (.null, _), (.bool, _), (.int, _), (.float, _), (.string, _), (.bytes, _), (.list, _),
      (.map, _), (.set, _), (.mapDiff, _), (.path, _), (.timestamp, _), (.duration, _),
      (.latlng, _), (.vector, _), (.constraint, _), (.unknown, _):
      throw unsupported(sign, left, right)
    }
  }

  static func unsupported(
    _ sign: BinaryOperator, _ left: RulesValue, _ right: RulesValue
  ) -> EvaluationFailure {
    let expected = sign.overloads.map { "\($0.left.name) \(sign.rawValue) \($0.right.name)" }
    return .unsupported(
      "\(left.typeName) \(sign.rawValue) \(right.typeName)", expected.joined(separator: ", "))
  }

  static func duration(_ nanoseconds: Int128) throws(EvaluationFailure) -> RulesValue {
    guard let duration = RulesDuration(nanoseconds: nanoseconds) else { throw .durationRange }
    return .duration(duration)
  }

  static func timestamp(_ nanoseconds: Int128) throws(EvaluationFailure) -> RulesValue {
    guard let time = Timestamp(nanoseconds: nanoseconds) else { throw .timestampRange }
    return .timestamp(time)
  }

  private static func integer(
    _ sign: BinaryOperator, _ left: Int64, _ right: Int64
  ) throws(EvaluationFailure) -> Int64 {
    let result: (partialValue: Int64, overflow: Bool)
    switch sign {
    case .add: result = left.addingReportingOverflow(right)
    case .subtract: result = left.subtractingReportingOverflow(right)
    case .multiply: result = left.multipliedReportingOverflow(by: right)
    case .divide, .remainder, .less, .lessOrEqual, .greater, .greaterOrEqual, .equal, .notEqual,
      .contained:
      guard right != 0 else { throw .divideByZero }
      // The least integer by -1 wraps around.
      guard right != -1 else { return sign == .divide ? 0 &- left : 0 }
      return sign == .divide ? left / right : left % right
    }
    guard !result.overflow else { throw .integerRange }
    return result.partialValue
  }

  private static func float(_ sign: BinaryOperator, _ left: Double, _ right: Double) -> Double {
    switch sign {
    case .add: left + right
    case .subtract: left - right
    case .multiply: left * right
    case .divide: left / right
    case .remainder, .less, .lessOrEqual, .greater, .greaterOrEqual, .equal, .notEqual, .contained:
      left.truncatingRemainder(dividingBy: right)
    }
  }
}
