extension Evaluator {
  /// A function of the ruleset.
  mutating func call(
    _ id: FunctionID, _ arguments: [ExpressionID], _ frame: Frame
  ) throws(EvaluationFailure) -> RulesValue {
    guard arguments.count == program.functions[id].parameters.count else {
      throw wrongCount(arguments.count, program.functions[id])
    }
    // What has no variables of its own sees those of the match blocks alone, which lie outside of it.
    if arguments.isEmpty, program.functions[id].bindings.isEmpty {
      return try evaluate(program.functions[id].result, frame)
    }
    let callee = Frame(
      captures: frame.captures, function: id, arguments: arguments.map { .pending($0, frame) },
      bindings: program.functions[id].bindings.count)
    return try evaluate(program.functions[id].result, callee)
  }

  private func wrongCount(_ count: Int, _ function: FunctionDeclaration) -> EvaluationFailure {
    let parameters = function.parameters.map(\.text).joined(separator: ", ")
    return .argumentCount(count, "\(function.name.text)(\(parameters))")
  }

  /// A function that is built in.
  mutating func builtin(_ id: ExpressionID, _ frame: Frame) throws(EvaluationFailure) -> RulesValue
  {
    guard let callee = program.callees[id].first else { throw .null }
    return try call(callee, on: nil, frame)
  }

  /// A method: the one of its name that the receiver's type has.
  mutating func method(
    _ receiver: ExpressionID, _ id: ExpressionID, _ frame: Frame
  ) throws(EvaluationFailure) -> RulesValue {
    let value = try evaluate(receiver, frame)
    if case .null = value { throw .null }
    let type = value.type
    guard let type, let callee = program.callees[id].first(where: { $0.receiver == type }) else {
      guard case .method(_, let name, _) = program.expressions[id].kind else { throw .null }
      throw program.failure(.noFunction(name), receiver)
    }
    return try call(callee, on: value, frame).bounded()
  }

  private mutating func call(
    _ callee: Program.Callee, on receiver: RulesValue?, _ frame: Frame
  ) throws(EvaluationFailure) -> RulesValue {
    guard !callee.bodies.isEmpty else { throw wrongCount(callee) }
    var operands = Overload.Operands(repeating: .unknown)
    if let receiver { operands[0] = receiver }
    var count = receiver == nil ? 0 : 1
    for argument in callee.arguments {
      operands[count] = try evaluate(argument, frame)
      count += 1
    }
    return try apply(callee, operands, count)
  }

  private func wrongCount(_ callee: Program.Callee) -> EvaluationFailure {
    callee.builtin.isDebug
      ? EvaluationFailure("Service call error. Function: [debug], Argument: [].")
      : .argumentCount(callee.arguments.count, callee.builtin.expected)
  }

  /// The first overload that takes operands of these types does it.
  private func apply(
    _ callee: Program.Callee, _ operands: Overload.Operands, _ count: Int
  ) throws(EvaluationFailure) -> RulesValue {
    for body in callee.bodies {
      switch body {
      case .value(let body):
        if let value = try body(operands) { return value }
      case .pattern(let body):
        guard case .string(let text) = operands[0], case .string(let source) = operands[1],
          case .string(let last) = operands[count - 1]
        else { continue }
        guard let pattern = callee.pattern ?? RegularExpression(source) else {
          throw .pattern(source)
        }
        return try body(text, pattern, last)
      case .lookup(let function):
        guard case .path(let path) = operands[0] else { continue }
        if let name = path.unboundName {
          throw EvaluationFailure("Variable \(name) is not bound in path template.")
        }
        return try lookup(function, path)
      }
    }
    let received = (callee.receiver == nil ? 0..<count : 1..<count).map { operands[$0].typeName }
    throw .unsupported(
      "\(callee.builtin.name)(\(received.joined(separator: ", ")))", callee.builtin.expected)
  }
}
