extension Evaluator {
  /// A function of the ruleset, or one that is built in.
  func call(
    _ name: String, _ arguments: [ExpressionID], _ id: ExpressionID, _ frame: Frame
  ) throws(EvaluationFailure) -> RulesValue {
    switch program.resolutions[id] {
    case .function(let function):
      return try call(program.functions[function], arguments, frame)
    case .builtin:
      guard let callee = program.callees[id].first else { throw .noFunction(name) }
      return try call(callee, arguments, frame)
    case .none, .undefined, .request, .resource, .capture, .parameter, .binding, .methods:
      throw .noFunction(name)
    }
  }

  private func call(
    _ function: FunctionDeclaration, _ arguments: [ExpressionID], _ frame: Frame
  ) throws(EvaluationFailure) -> RulesValue {
    guard arguments.count == function.parameters.count else {
      let parameters = function.parameters.map(\.text).joined(separator: ", ")
      throw .argumentCount(arguments.count, "\(function.name.text)(\(parameters))")
    }
    let callee = Frame(captures: frame.captures, function: function)
    callee.parameters = arguments.map { .pending($0, frame) }
    return try evaluate(function.result, callee)
  }

  private func call(
    _ callee: Program.Callee, _ arguments: [ExpressionID], _ frame: Frame
  ) throws(EvaluationFailure) -> RulesValue {
    let builtin = callee.builtin
    if builtin == .debug {
      guard let first = arguments.first else {
        throw EvaluationFailure("Service call error. Function: [debug], Argument: [].")
      }
      return try evaluate(first, frame)
    }
    let values = try self.arguments(of: callee, arguments, frame)
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

  /// A method: the one of this name that the receiver's type has.
  func method(
    _ receiver: ExpressionID, _ name: String, _ arguments: [ExpressionID], _ id: ExpressionID,
    _ frame: Frame
  ) throws(EvaluationFailure) -> RulesValue {
    let callees = program.callees[id]
    // A function of a namespace looks like a method of a variable.
    if let callee = callees.first, callee.signature.receiver == nil {
      return try call(callee, arguments, frame)
    }
    let value = try evaluate(receiver, frame)
    if case .null = value { throw .null }
    guard let type = value.type,
      let callee = callees.first(where: { $0.signature.receiver == type })
    else { throw failure(.noFunction(name), receiver) }
    let builtin = callee.builtin
    let values = try self.arguments(of: callee, arguments, frame)
    switch builtin {
    case .stringMatches, .stringReplace, .stringSplit:
      return try match(builtin, value, values, arguments)
    default:
      return try Methods.call(builtin, on: value, values).bounded()
    }
  }

  /// The values of the arguments, if they fit in number and type.
  private func arguments(
    of callee: Program.Callee, _ arguments: [ExpressionID], _ frame: Frame
  ) throws(EvaluationFailure) -> [RulesValue] {
    let (builtin, signature) = (callee.builtin, callee.signature)
    guard signature.overloads.contains(where: { $0.count == arguments.count }) else {
      throw .argumentCount(arguments.count, builtin.expected)
    }
    let values = try values(arguments, frame)
    let fits = signature.overloads.contains { overload in
      overload.count == values.count
        && zip(overload, values).allSatisfy { expected, value in
          value.type.map(expected.accepts) ?? false
        }
    }
    guard fits else {
      let received = values.map(\.typeName).joined(separator: ", ")
      throw .unsupported("\(builtin.shownName)(\(received))", builtin.expected)
    }
    return values
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
