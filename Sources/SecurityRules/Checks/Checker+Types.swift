/// The types of expressions, from the outside in: what is expected of a whole leaves some of its forms, and those say what is
/// expected of its parts.
extension Checker {
  /// Something whose uses must agree in a type.
  enum Variable: Hashable {
    case request
    case resource
    case capture(Int)
    case parameter(Int)
    case binding(Int)
  }

  /// What all uses of a variable leave to it; nothing if they do not agree.
  struct Use {
    var name: String
    var types: [RulesType]
  }

  /// What an expression may be; of any type if `types` is `nil`.
  struct Typing {
    var types: [RulesType]?
    var uses: [Variable: Use] = [:]
  }

  /// A function in a place that expects some types of it.
  struct Expectation: Hashable {
    var function: FunctionID
    /// A bit for each; `nil` if anything may stand there.
    var types: UInt32?
  }

  /// Functions that are looked into from a call, one within the other.
  private static let maximumCallDepth = 5

  /// Says something of types, unless a function is only looked into for one of its calls.
  private mutating func note(_ description: String, at range: SourceRange) {
    if callDepth == 0 { warn(description, at: range) }
  }

  private mutating func noteMismatch(
    _ types: [RulesType], _ expected: [RulesType], _ id: ExpressionID
  ) {
    let start =
      id == condition
      ? "Invalid type. Permission statements expect a boolean value. Received one of [\(Self.list(types))]."
      : "Invalid type. Received one of [\(Self.list(types))]. Expected one of [\(Self.list(expected))]."
    note(start, at: tree.expressions[id].mark)
  }

  private static func list(_ types: [RulesType]) -> String {
    types.map(\.name).joined(separator: ", ")
  }

  /// The types of a condition.
  mutating func checkCondition(_ id: ExpressionID) {
    condition = id
    _ = typing(of: id, expecting: [.bool])
    condition = nil
  }

  /// The types of the body of a function, whatever calls it.
  mutating func checkBody(_ function: FunctionID) {
    isUnused = !isCalled.contains(function)
    _ = bodyTyping(function, expecting: nil)
    isUnused = false
  }

  /// The types of a body, and what it leaves to the parameters. Bindings get what their uses leave to them.
  private mutating func bodyTyping(
    _ function: FunctionID, expecting expected: [RulesType]?
  ) -> Typing {
    let declaration = tree.functions[function]
    var typing = typing(of: declaration.result, expecting: expected)
    for (index, binding) in declaration.bindings.enumerated().reversed() {
      let left = typing.uses[.binding(index)]?.types ?? []
      let inner = self.typing(of: binding.value, expecting: left.isEmpty ? nil : left)
      merge(inner.uses, into: &typing.uses, at: declaration.start)
    }
    return typing
  }

  /// The types of a call: the body is looked into once for each expectation.
  private mutating func typing(
    of function: FunctionID, _ arguments: [ExpressionID], expecting expected: [RulesType]?,
    _ id: ExpressionID
  ) -> Typing {
    var body = Typing()
    let isRight = arguments.count == tree.functions[function].parameters.count
    if isRight {
      let expectation = Expectation(
        function: function, types: expected?.reduce(0) { $0 | 1 << UInt32($1.rawValue) })
      if let known = bodies[expectation] {
        body = known
      } else if callDepth < Self.maximumCallDepth {
        bodies[expectation] = Typing()
        callDepth += 1
        body = bodyTyping(function, expecting: expected)
        callDepth -= 1
        bodies[expectation] = body
      }
    }
    var result = Typing(types: body.types)
    for (index, argument) in arguments.enumerated() {
      let left = body.uses[.parameter(index)]?.types ?? []
      let inner = typing(of: argument, expecting: left.isEmpty ? nil : left)
      merge(inner.uses, into: &result.uses, at: tree.firstToken(of: id))
    }
    return result
  }

  /// Goes down as deep as the expression is, which the parser bounds.
  private mutating func typing(
    of id: ExpressionID, expecting expected: [RulesType]?
  ) -> Typing {
    let expression = tree.expressions[id]
    switch expression.kind {
    case .literal(let value):
      guard let type = value.type else { return Typing() }
      guard expected?.contains(where: { $0.accepts(type) }) ?? true else {
        noteMismatch([type], expected ?? [], id)
        return Typing()
      }
      return Typing(types: [type])
    case .variable(let name): return variable(name, id, expecting: expected)
    case .call(_, let arguments):
      switch resolutions[id] {
      case .function(let function):
        return typing(of: function, arguments, expecting: expected, id)
      case .builtin(let builtin):
        let isUnknown = isUnused && builtin.isLookup
        let forms = TypeForm.forms(
          of: isUnknown ? [] : [builtin], arguments: arguments.count)
        return typing(of: id, arguments, forms, expecting: expected)
      case .none, .undefined, .request, .resource, .capture, .parameter, .binding, .methods:
        return typing(of: id, arguments, [], expecting: nil)
      }
    case .method(let receiver, _, let arguments):
      if case .builtin(let builtin) = resolutions[id] {
        let forms = TypeForm.forms(of: [builtin], arguments: arguments.count)
        return typing(of: id, arguments, forms, expecting: expected)
      }
      var methods: [Builtin] = []
      if case .methods(let known) = resolutions[id] {
        methods = known.filter { $0.receiver != .constraint }
      }
      let forms = TypeForm.forms(of: methods, arguments: arguments.count)
      return typing(of: id, [receiver] + arguments, forms, expecting: expected)
    case .conditional(let condition, let first, let second):
      return conditional(condition, first, second, id, expecting: expected)
    case .list, .map, .path, .member, .element, .slice, .not, .negate, .and, .or, .binary,
      .typeTest:
      return typing(
        of: id, expression.children, TypeForm.forms(of: expression), expecting: expected)
    }
  }

  private mutating func variable(
    _ name: String, _ id: ExpressionID, expecting expected: [RulesType]?
  ) -> Typing {
    let variable: Variable? =
      switch resolutions[id] {
      case .request: isUnused ? nil : .request
      case .resource: isUnused ? nil : .resource
      case .capture(let index): .capture(index)
      case .parameter(let index): .parameter(index)
      case .binding(let index): .binding(index)
      case .none, .undefined, .function, .builtin, .methods: nil
      }
    guard let variable else { return Typing() }
    guard let captured = captureTypes[id] else {
      return Typing(uses: expected.map { [variable: Use(name: name, types: $0)] } ?? [:])
    }
    guard let expected else { return Typing(types: captured) }
    let types = captured.filter(expected.contains)
    if types.isEmpty {
      noteMismatch(captured, expected, id)
      noteDisagreement(name, at: tree.expressions[id].mark)
    }
    return Typing(
      types: types.isEmpty ? nil : types, uses: [variable: Use(name: name, types: types)])
  }

  /// By the forms that fit; if none does, that is said, and the operands may be anything.
  private mutating func typing(
    of id: ExpressionID, _ operands: [ExpressionID], _ forms: [TypeForm],
    expecting expected: [RulesType]?
  ) -> Typing {
    let fitting = forms.filter { $0.fits(expected) }
    if fitting.isEmpty, let results = TypeForm.union(forms.map(\.results)), !results.isEmpty {
      noteMismatch(results, expected ?? [], id)
    }
    var possible = fitting
    // What may stand in a path does not depend on what the path may be.
    if case .path = tree.expressions[id].kind { possible = forms }
    var result = Typing()
    var types: [[RulesType]?] = []
    for (index, operand) in operands.enumerated() {
      let left = possible.isEmpty ? nil : TypeForm.union(possible.map { $0.operands[index] })
      let inner = typing(of: operand, expecting: left)
      types.append(inner.types)
      merge(inner.uses, into: &result.uses, at: tree.firstToken(of: id))
    }
    guard !fitting.isEmpty else { return result }
    result.types = TypeForm.union(fitting.map(\.results))
    if case .binary(let sign, _, _) = tree.expressions[id].kind,
      sign == .equal || sign == .notEqual, let first = types[0], let second = types[1],
      !first.contains(where: { left in second.contains { $0.accepts(left) || left.accepts($0) } })
    {
      note(
        "The sub-expressions are not comparable, so this comparison will always return "
          + "\(sign == .notEqual).", at: tree.expressions[id].mark)
    }
    return result
  }

  private mutating func conditional(
    _ condition: ExpressionID, _ first: ExpressionID, _ second: ExpressionID, _ id: ExpressionID,
    expecting expected: [RulesType]?
  ) -> Typing {
    var result = typing(of: condition, expecting: [.bool])
    result.types = nil
    let branches = [first, second].map { branch -> [RulesType]? in
      let inner = typing(of: branch, expecting: expected)
      merge(inner.uses, into: &result.uses, at: tree.firstToken(of: id))
      return inner.types
    }
    if let left = branches[0], let right = branches[1], !left.contains(where: right.contains) {
      note(
        "Ternary operator result if condition is true has a different type than if condition "
          + "is false.", at: tree.expressions[id].mark)
    }
    return result
  }

  // MARK: Uses

  private mutating func merge(
    _ uses: [Variable: Use], into all: inout [Variable: Use], at range: SourceRange
  ) {
    var disagreeing: [String] = []
    for (variable, use) in uses {
      guard let known = all[variable] else {
        all[variable] = use
        continue
      }
      let common = known.types.filter(use.types.contains)
      if common.isEmpty, !known.types.isEmpty, !use.types.isEmpty { disagreeing.append(use.name) }
      all[variable] = Use(name: use.name, types: common)
    }
    for name in disagreeing.sorted() { noteDisagreement(name, at: range) }
  }

  private mutating func noteDisagreement(_ name: String, at range: SourceRange) {
    note(
      "Invalid type. There is no type for variable '\(name)' that satisfies all clauses.",
      at: range)
  }
}

extension SyntaxTree {
  /// Where an expression begins; parentheses do not count.
  func firstToken(of id: ExpressionID) -> SourceRange {
    var id = id
    while true {
      let expression = expressions[id]
      switch expression.kind {
      case .literal, .variable: return expression.range
      case .list, .map, .path, .element, .slice, .call, .not, .negate: return expression.mark
      case .method(let base, _, _), .member(let base, _), .typeTest(let base, _),
        .and(let base, _), .or(let base, _), .binary(_, let base, _),
        .conditional(let base, _, _):
        id = base
      }
    }
  }
}
