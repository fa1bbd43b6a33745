/// One way to call a function or method: its name, the types it takes and gives, and what it does.
struct Overload: Sendable {
  /// No function takes more of them; unknown where there are fewer.
  typealias Operands = InlineArray<4, RulesValue>

  enum Body: Sendable {
    /// `nil` for operands of other types.
    case value(@Sendable (Operands) throws(EvaluationFailure) -> RulesValue?)
    /// Of a text, the pattern that is the first argument, and the last argument.
    case pattern(
      @Sendable (String, RegularExpression, String) throws(EvaluationFailure) -> RulesValue)
    case lookup(DocumentFunction)
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
}

extension Overload {
  init<A>(
    _ name: String, _ first: Operand<A>, gives result: RulesType,
    _ body: @escaping @Sendable (A) throws(EvaluationFailure) -> RulesValue
  ) {
    let body = Body.value { operands throws(EvaluationFailure) in
      guard let first = first.value(operands[0]) else { return nil }
      return try body(first)
    }
    self.init(name, [first.type], gives: result, body)
  }

  init<A, B>(
    _ name: String, _ first: Operand<A>, _ second: Operand<B>, gives result: RulesType,
    _ body: @escaping @Sendable (A, B) throws(EvaluationFailure) -> RulesValue
  ) {
    let body = Body.value { operands throws(EvaluationFailure) in
      guard let first = first.value(operands[0]), let second = second.value(operands[1])
      else { return nil }
      return try body(first, second)
    }
    self.init(name, [first.type, second.type], gives: result, body)
  }

  init<A, B, C>(
    _ name: String, _ first: Operand<A>, _ second: Operand<B>, _ third: Operand<C>,
    gives result: RulesType,
    _ body: @escaping @Sendable (A, B, C) throws(EvaluationFailure) -> RulesValue
  ) {
    let body = Body.value { operands throws(EvaluationFailure) in
      guard let first = first.value(operands[0]), let second = second.value(operands[1]),
        let third = third.value(operands[2])
      else { return nil }
      return try body(first, second, third)
    }
    self.init(name, [first.type, second.type, third.type], gives: result, body)
  }
}
