extension Checker {
  /// The names of types as messages list them.
  static func list(_ types: [RulesType]) -> String {
    types.map(\.name).joined(separator: ", ")
  }

  private static let bool: [RulesType] = [.bool]

  /// Warns if none of `types` is among `expected`; a parameter learns what is expected of it.
  mutating func expect(
    _ expected: [RulesType]?, of expression: ExpressionID, types: [RulesType]?,
    function: FunctionID? = nil
  ) {
    guard let expected, !expected.contains(.any) else { return }
    if let function, case .parameter(let index) = resolutions[expression] {
      let known = expectations[function][index]
      expectations[function][index] = known.map { $0.filter(expected.contains) } ?? expected
    }
    guard let types, !types.contains(where: { type in expected.contains { $0.accepts(type) } })
    else { return }
    warn(
      "Invalid type. Received one of [\(Self.list(types))]. "
        + "Expected one of [\(Self.list(expected))].", at: tree.expressions[expression].range)
  }

  /// The types that an expression shows without looking around; for arguments of functions.
  func knownTypes(of expression: ExpressionID) -> [RulesType]? {
    switch tree.expressions[expression].kind {
    case .literal(let value): value.type.map { [$0] }
    case .list: [.list]
    case .map: [.map]
    case .path: [.path]
    case .and, .or, .not, .typeTest: [.bool]
    case .variable, .call, .method, .member, .element, .slice, .negate, .binary, .conditional: nil
    }
  }

  /// Resolves the names in an expression and gives the types that it may have; `nil` if any.
  ///
  /// Goes down as deep as the expression is, which the parser bounds.
  mutating func types(of id: ExpressionID, in scope: Scope) -> [RulesType]? {
    let expression = tree.expressions[id]
    switch expression.kind {
    case .literal(let value):
      return value.type.map { [$0] }
    case .list(let items):
      for item in items { _ = self.types(of: item, in: scope) }
      return [.list]
    case .map(let entries):
      for entry in entries {
        _ = self.types(of: entry.key, in: scope)
        _ = self.types(of: entry.value, in: scope)
      }
      return [.map]
    case .path:
      for child in expression.children { _ = self.types(of: child, in: scope) }
      return [.path]
    case .variable(let name):
      return resolve(name, id, in: scope)
    case .call(let name, let arguments):
      return call(name, arguments, id, in: scope)
    case .method(let receiver, let name, let arguments):
      return method(receiver, name, arguments, id, in: scope)
    case .member(let base, _):
      let types = self.types(of: base, in: scope)
      expect([.map, .path], of: base, types: types, function: scope.function)
      return nil
    case .element, .slice:
      return element(expression, in: scope)
    case .not, .negate, .and, .or, .binary, .typeTest, .conditional:
      return operation(expression, in: scope)
    }
  }

  private mutating func element(_ expression: Expression, in scope: Scope) -> [RulesType]? {
    var indexes = expression.children
    let base = indexes.removeFirst()
    let types = self.types(of: base, in: scope)
    var isSlice = false
    if case .slice = expression.kind { isSlice = true }
    let bases: [RulesType] =
      isSlice ? [.string, .list, .path] : [.string, .list, .map, .path]
    expect(bases, of: base, types: types, function: scope.function)
    for index in indexes {
      expect(
        isSlice ? [.int] : [.int, .string], of: index, types: self.types(of: index, in: scope),
        function: scope.function)
    }
    return isSlice ? types : nil
  }

  private mutating func operation(_ expression: Expression, in scope: Scope) -> [RulesType]? {
    let operands = expression.children
    let types = operands.map { self.types(of: $0, in: scope) }
    switch expression.kind {
    case .not, .and, .or:
      for (operand, type) in zip(operands, types) {
        expect(Self.bool, of: operand, types: type, function: scope.function)
      }
      return Self.bool
    case .negate:
      expect(
        [.int, .float, .duration], of: operands[0], types: types[0], function: scope.function)
      return types[0]
    case .conditional:
      expect(Self.bool, of: operands[0], types: types[0], function: scope.function)
      guard let first = types[1], let second = types[2] else { return nil }
      if !first.contains(where: second.contains) {
        warn(
          "Ternary operator result if condition is true has a different type than if condition "
            + "is false.", at: expression.mark)
      }
      return first + second.filter { !first.contains($0) }
    case .binary(let sign, let left, let right):
      return binary(sign, (left, types[0]), (right, types[1]), expression, in: scope)
    default:
      return Self.bool
    }
  }

  private mutating func binary(
    _ sign: BinaryOperator, _ left: (id: ExpressionID, types: [RulesType]?),
    _ right: (id: ExpressionID, types: [RulesType]?), _ expression: Expression, in scope: Scope
  ) -> [RulesType]? {
    switch sign {
    case .equal, .notEqual:
      if let first = left.types, let second = right.types, !Self.areComparable(first, second) {
        warn(
          "The sub-expressions are not comparable, so this comparison will always return "
            + "\(sign == .notEqual).", at: expression.mark)
      }
      return Self.bool
    case .contained:
      expect(
        [.list, .set, .map, .constraint], of: right.id, types: right.types,
        function: scope.function)
      return Self.bool
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return Self.bool
    case .add, .subtract, .multiply, .divide, .remainder:
      let overloads = sign.overloads
      expect(
        Self.unique(overloads.map(\.left)), of: left.id, types: left.types,
        function: scope.function)
      expect(
        Self.unique(overloads.map(\.right)), of: right.id, types: right.types,
        function: scope.function)
      let results = overloads.filter { overload in
        left.types?.contains(where: overload.left.accepts) ?? true
          && right.types?.contains(where: overload.right.accepts) ?? true
      }
      return Self.unique((results.isEmpty ? overloads : results).map(\.result))
    }
  }

  private static func areComparable(_ first: [RulesType], _ second: [RulesType]) -> Bool {
    first.contains { left in
      second.contains { $0 == left || $0.accepts(left) || left.accepts($0) }
    }
  }

  private static func unique(_ types: [RulesType]) -> [RulesType] {
    var result: [RulesType] = []
    for type in types where !result.contains(type) { result.append(type) }
    return result
  }
}

// MARK: - Names

extension Checker {
  private mutating func resolve(
    _ name: String, _ id: ExpressionID, in scope: Scope
  ) -> [RulesType]? {
    if let function = scope.function {
      let declaration = tree.functions[function]
      let bindings = declaration.bindings.prefix(scope.bindings)
      if let index = bindings.lastIndex(where: { $0.name.text == name }) {
        resolutions[id] = .binding(index)
        usedBindings[function].insert(index)
        return nil
      }
      if let index = declaration.parameters.firstIndex(where: { $0.text == name }) {
        resolutions[id] = .parameter(index)
        usedParameters[function].insert(index)
        return nil
      }
    }
    if let index = scope.captures.lastIndex(where: { $0.name == name }) {
      resolutions[id] = .capture(index)
      return scope.captures[index].isGlob ? [.path] : [.string]
    }
    guard name == "request" || name == "resource" else {
      resolutions[id] = .undefined
      warn("Invalid variable name: \(name).", at: tree.expressions[id].range)
      return nil
    }
    resolutions[id] = name == "request" ? .request : .resource
    if let function = scope.function {
      requestUses[function].append((name, tree.expressions[id].range))
    }
    return nil
  }

  private mutating func call(
    _ name: String, _ arguments: [ExpressionID], _ id: ExpressionID, in scope: Scope
  ) -> [RulesType]? {
    let types = arguments.map { self.types(of: $0, in: scope) }
    let mark = tree.expressions[id].mark
    if let function = scope.functions[name] {
      resolutions[id] = .function(function)
      isCalled.insert(function)
      if let caller = scope.function { calls[caller].append(function) }
      if arguments.count != tree.functions[function].parameters.count {
        warn("Incorrect number of arguments supplied to function: \(name).", at: mark)
      }
      pendingCalls.append(id)
      return nil
    }
    let isLookup = Builtin.tables.functions[name].map(Builtin.lookups.contains) ?? false
    guard let builtin = Builtin.tables.functions[name],
      !isLookup || scope.service == "cloud.firestore"
    else {
      resolutions[id] = .methods([])
      warn("Invalid function name: \(name).", at: mark)
      return nil
    }
    resolutions[id] = .builtin(builtin)
    check(arguments, types, of: [builtin], name, at: mark, in: scope)
    return builtin.signature.results
  }

  private mutating func method(
    _ receiver: ExpressionID, _ name: String, _ arguments: [ExpressionID], _ id: ExpressionID,
    in scope: Scope
  ) -> [RulesType]? {
    let mark = tree.expressions[id].mark
    if scope.service == "firebase.storage",
      case .variable("firestore") = tree.expressions[receiver].kind,
      let builtin = Builtin.tables.functions["firestore.\(name)"]
    {
      resolutions[id] = .builtin(builtin)
      let types = arguments.map { self.types(of: $0, in: scope) }
      check(arguments, types, of: [builtin], name, at: mark, in: scope)
      return builtin.signature.results
    }
    let receiverTypes = self.types(of: receiver, in: scope)
    let types = arguments.map { self.types(of: $0, in: scope) }
    let candidates = Builtin.tables.methods[name] ?? []
    resolutions[id] = .methods(candidates)
    guard !candidates.isEmpty else {
      warn("Invalid function name: \(name).", at: mark)
      return nil
    }
    let receivers = candidates.compactMap(\.receiver).filter { $0 != .constraint }
    expect(receivers, of: receiver, types: receiverTypes, function: scope.function)
    let fitting = candidates.filter { candidate in
      receiverTypes?.contains { candidate.receiver == $0 } ?? true
    }
    check(
      arguments, types, of: fitting.isEmpty ? candidates : fitting, name, at: mark, in: scope)
    if name == "matches" || name == "split", let pattern = arguments.first {
      checkPattern(pattern)
    }
    let results = (fitting.isEmpty ? candidates : fitting).map(\.signature.results)
    guard let first = results.first, results.allSatisfy({ $0 == first }) else { return nil }
    return first
  }

  private mutating func checkPattern(_ argument: ExpressionID) {
    guard case .literal(.string(let text)) = tree.expressions[argument].kind else { return }
    if let pattern = RegularExpression(text) {
      patterns[argument] = pattern
    } else {
      error(
        "Invalid regular expression pattern. Pattern: \(text).",
        at: tree.expressions[argument].range)
    }
  }

  private mutating func check(
    _ arguments: [ExpressionID], _ types: [[RulesType]?], of candidates: [Builtin], _ name: String,
    at mark: SourceRange, in scope: Scope
  ) {
    let overloads = candidates.flatMap(\.signature.overloads)
    guard overloads.contains(where: { $0.count == arguments.count }) else {
      warn("Incorrect number of arguments supplied to function: \(name).", at: mark)
      return
    }
    for (index, argument) in arguments.enumerated() {
      let expected = Self.unique(
        overloads.filter { $0.count == arguments.count }.map { $0[index] })
      expect(expected, of: argument, types: types[index], function: scope.function)
    }
  }
}
