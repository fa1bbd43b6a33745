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
    guard callee.isDefined, let first = callee.arguments.first else { throw callee.wrongCount }
    let value = try evaluate(first, frame)
    guard let lookup = callee.lookup else { return try call(callee, value, from: 1, frame) }
    guard case .path(let path) = value else { throw callee.wrongTypes([value]) }
    if let name = path.unboundName {
      throw EvaluationFailure("Variable \(name) is not bound in path template.")
    }
    return try self.lookup(lookup, path)
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
    guard callee.isDefined else { throw callee.wrongCount }
    let result = try call(callee, value, from: 0, frame)
    // What the methods of maps give lies in the map.
    return type == .map ? result : try result.bounded()
  }

  /// The arguments before `start` have been evaluated.
  private mutating func call(
    _ callee: Program.Callee, _ first: RulesValue, from start: Int, _ frame: Frame
  ) throws(EvaluationFailure) -> RulesValue {
    var second = RulesValue.unknown
    var others: [RulesValue] = []
    for place in callee.arguments.indices where place >= start {
      let value = try evaluate(callee.arguments[place], frame)
      if place == start { second = value } else { others.append(value) }
    }
    if let value = try callee.function(first, second, others) { return value }
    throw callee.wrongTypes([first, second] + others)
  }
}
