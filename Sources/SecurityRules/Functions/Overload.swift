/// One way to call a function or method: its name, the types it takes and gives, and what it does.
struct Overload: Sendable {
  /// Of the first two operands, unknown if there is one alone, and the others; `nil` for operands of other types.
  typealias Function =
    @Sendable (RulesValue, RulesValue, [RulesValue]) throws(EvaluationFailure) -> RulesValue?

  enum Body: Sendable {
    case value(Function)
    /// Of a text, the pattern that is the first argument, and the last argument.
    case pattern(
      @Sendable (String, RegularExpression, String) throws(EvaluationFailure) -> RulesValue)
    /// What the evaluator does: it reads a document.
    case lookup
  }

  let name: String
  /// The receiver of a method is the first. A float takes an integer too.
  let operands: [RulesType]
  /// `any` if it may be anything.
  let result: RulesType
  let body: Body

  init(_ name: String, _ operands: [RulesType], gives result: RulesType, _ body: Body) {
    self.name = name
    self.operands = operands
    self.result = result
    self.body = body
  }

  /// What it does; `literal` is its first argument as a pattern, if that was compiled with the ruleset.
  private func function(_ literal: RegularExpression?) -> Function {
    switch body {
    case .value(let function): return function
    case .lookup: return { _, _, _ in nil }
    case .pattern(let body):
      return { first, second, others throws(EvaluationFailure) in
        guard case .string(let text) = first, case .string(let source) = second,
          case .string(let last) = others.last ?? second
        else { return nil }
        guard let pattern = literal ?? RegularExpression(source) else { throw .pattern(source) }
        return try body(text, pattern, last)
      }
    }
  }

  /// What the first of `overloads` does that takes the operands. Functions in an array would be wrapped, which costs time.
  static func function(
    of overloads: ArraySlice<Overload>, _ literal: RegularExpression?
  ) -> Function {
    guard let overload = overloads.first else { return { _, _, _ in nil } }
    let function = overload.function(literal)
    if overloads.count == 1 { return function }
    let others = Self.function(of: overloads.dropFirst(), literal)
    return { first, second, rest throws(EvaluationFailure) in
      if let value = try function(first, second, rest) { return value }
      return try others(first, second, rest)
    }
  }
}

extension Overload {
  init<A>(
    _ name: String, _ first: Operand<A>, gives result: RulesType,
    _ body: @escaping @Sendable (A) throws(EvaluationFailure) -> RulesValue
  ) {
    let body = Body.value { one, _, _ throws(EvaluationFailure) in
      guard let first = first.value(one) else { return nil }
      return try body(first)
    }
    self.init(name, [first.type], gives: result, body)
  }

  init<A, B>(
    _ name: String, _ first: Operand<A>, _ second: Operand<B>, gives result: RulesType,
    _ body: @escaping @Sendable (A, B) throws(EvaluationFailure) -> RulesValue
  ) {
    let body = Body.value { one, two, _ throws(EvaluationFailure) in
      guard let first = first.value(one), let second = second.value(two) else { return nil }
      return try body(first, second)
    }
    self.init(name, [first.type, second.type], gives: result, body)
  }

  init<A, B, C>(
    _ name: String, _ first: Operand<A>, _ second: Operand<B>, _ third: Operand<C>,
    gives result: RulesType,
    _ body: @escaping @Sendable (A, B, C) throws(EvaluationFailure) -> RulesValue
  ) {
    let body = Body.value { one, two, others throws(EvaluationFailure) in
      guard let first = first.value(one), let second = second.value(two),
        let third = others.first.flatMap(third.value)
      else { return nil }
      return try body(first, second, third)
    }
    self.init(name, [first.type, second.type, third.type], gives: result, body)
  }
}
