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
    let builtin = callee.builtin
    if builtin == .debug {
      guard let first = program.arguments[id].first else {
        throw EvaluationFailure("Service call error. Function: [debug], Argument: [].")
      }
      return try evaluate(first, frame)
    }
    let values = try arguments(of: callee, id, frame)
    switch builtin {
    case .get, .exists, .getAfter, .existsAfter, .firestoreGet, .firestoreExists:
      guard case .path(let path)? = values.first else { throw .null }
      if let name = path.unboundName {
        throw EvaluationFailure("Variable \(name) is not bound in path template.")
      }
      return try lookup(builtin, path)
    default:
      return try Functions.call(builtin, values)
    }
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
    let values = try arguments(of: callee, id, frame)
    switch callee.builtin {
    case .stringMatches, .stringReplace, .stringSplit:
      return try match(callee.builtin, value, values, program.arguments[id])
    default:
      return try Methods.call(callee.builtin, on: value, values).bounded()
    }
  }

  /// The values of the arguments of a call, if they fit in number and type.
  private mutating func arguments(
    of callee: Program.Callee, _ id: ExpressionID, _ frame: Frame
  ) throws(EvaluationFailure) -> [RulesValue] {
    let arguments = program.arguments[id]
    guard !callee.overloads.isEmpty else {
      throw .argumentCount(arguments.count, callee.builtin.expected)
    }
    if arguments.isEmpty { return [] }
    let values = try values(arguments, frame)
    for overload in callee.overloads where Self.fit(values, overload) { return values }
    let received = values.map(\.typeName).joined(separator: ", ")
    throw .unsupported("\(callee.builtin.shownName)(\(received))", callee.builtin.expected)
  }

  private static func fit(_ values: [RulesValue], _ types: [RulesType]) -> Bool {
    for (value, expected) in zip(values, types) {
      guard let type = value.type, expected.accepts(type) else { return false }
    }
    return true
  }

  /// The methods that take a pattern: a literal one was compiled with the ruleset.
  private func match(
    _ builtin: Builtin, _ receiver: RulesValue, _ values: [RulesValue], _ arguments: [ExpressionID]
  ) throws(EvaluationFailure) -> RulesValue {
    guard case .string(let text) = receiver, case .string(let source)? = values.first,
      let first = arguments.first
    else { throw .null }
    guard let pattern = program.patterns[first] ?? RegularExpression(source) else {
      throw .pattern(source)
    }
    switch builtin {
    case .stringMatches: return .bool(pattern.matchesWhole(text))
    case .stringSplit: return .list(PatternText.split(text, pattern).map { .string($0) })
    default:
      guard case .string(let replacement)? = values.last else { throw .null }
      return .string(try PatternText.replace(text, pattern, with: replacement))
    }
  }
}
