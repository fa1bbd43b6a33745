extension Checker {
  /// Resolves the names in an expression, and counts the arguments of calls.
  ///
  /// Goes down as deep as the expression is, which the parser bounds.
  mutating func resolve(_ id: ExpressionID, in scope: Scope) {
    let expression = tree.expressions[id]
    switch expression.kind {
    case .variable(let name): resolutions[id] = variable(name, id, in: scope)
    case .call(let name, let arguments): resolutions[id] = call(name, arguments, id, in: scope)
    case .method(let receiver, let name, let arguments):
      if let builtin = crossService(receiver, name, in: scope) {
        resolutions[id] = .builtin(builtin)
        count(arguments, of: [builtin], name, at: expression.mark)
        for argument in arguments { resolve(argument, in: scope) }
        return
      }
      let candidates = Builtin.methods[name] ?? []
      resolutions[id] = .methods(candidates)
      count(arguments, of: candidates, name, at: expression.mark)
      if name == "matches" || name == "split", let pattern = arguments.first {
        checkPattern(pattern)
      }
    case .literal, .list, .map, .path, .member, .element, .slice, .not, .negate, .and, .or,
      .binary, .typeTest, .conditional:
      break
    }
    for child in expression.children { resolve(child, in: scope) }
  }

  private mutating func variable(
    _ name: String, _ id: ExpressionID, in scope: Scope
  ) -> Program.Resolution {
    if let function = scope.function {
      let declaration = tree.functions[function]
      let bindings = declaration.bindings.prefix(scope.bindings)
      if let index = bindings.lastIndex(where: { $0.name.text == name }) {
        usedBindings[function].insert(index)
        return .binding(index)
      }
      if let index = declaration.parameters.firstIndex(where: { $0.text == name }) {
        usedParameters[function].insert(index)
        return .parameter(index)
      }
    }
    if let index = scope.captures.lastIndex(where: { $0.name == name }) {
      captureTypes[id] = scope.captures[index].isBesideGlob ? [.string, .path] : [.string]
      return .capture(index)
    }
    let range = tree.expressions[id].range
    guard name == "request" || name == "resource" else {
      warnOfName("Invalid variable name: \(name).", at: range)
      return .undefined
    }
    if let function = scope.function { outerVariables[function].append((name, range)) }
    return name == "request" ? .request : .resource
  }

  private mutating func call(
    _ name: String, _ arguments: [ExpressionID], _ id: ExpressionID, in scope: Scope
  ) -> Program.Resolution {
    let mark = tree.expressions[id].mark
    if let function = scope.functions[name] {
      isCalled.insert(function)
      if let caller = scope.function { calls[caller].append(function) }
      if arguments.count != tree.functions[function].parameters.count {
        warnOfName("Incorrect number of arguments supplied to function: \(name).", at: mark)
      }
      return .function(function)
    }
    guard let builtin = Builtin.functions[name],
      !builtin.isLookup || scope.service == "cloud.firestore"
    else {
      warnOfName("Invalid function name: \(name).", at: mark)
      return .methods([])
    }
    if let function = scope.function, builtin.isLookup || builtin.isDebug {
      outerCalls[function].append(id)
    } else {
      count(arguments, of: [builtin], name, at: mark)
    }
    return .builtin(builtin)
  }

  /// What a function calls that belongs to the service: in one that is called by nothing it is unknown, and one outside of
  /// services should not.
  mutating func checkOuterCalls(of function: FunctionID) {
    for call in outerCalls[function] {
      guard case .builtin(let builtin) = resolutions[call],
        case .call(let name, let arguments) = tree.expressions[call].kind
      else { continue }
      let mark = tree.expressions[call].mark
      guard isCalled.contains(function) else {
        warnOfName("Invalid function name: \(name).", at: mark)
        continue
      }
      if !builtin.isDebug, tree.topFunctions.contains(function) {
        warnOfName(
          "Call to service function '\(name)' occurs outside of defining scope.", at: mark)
      }
      count(arguments, of: [builtin], name, at: mark)
    }
  }

  /// The function of Firestore that the rules of Cloud Storage call: `firestore.get`.
  private func crossService(
    _ receiver: ExpressionID, _ name: String, in scope: Scope
  ) -> Builtin? {
    guard scope.service == "firebase.storage",
      case .variable("firestore") = tree.expressions[receiver].kind
    else { return nil }
    return Builtin.functions["firestore.\(name)"]
  }

  /// Warns of a number of arguments that no form has, and of a name that is none.
  private mutating func count(
    _ arguments: [ExpressionID], of candidates: [Builtin], _ name: String, at mark: SourceRange
  ) {
    guard !candidates.isEmpty else {
      return warnOfName("Invalid function name: \(name).", at: mark)
    }
    if candidates.allSatisfy({ $0.overloads(argumentCount: arguments.count).isEmpty }) {
      warnOfName("Incorrect number of arguments supplied to function: \(name).", at: mark)
    }
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
}
