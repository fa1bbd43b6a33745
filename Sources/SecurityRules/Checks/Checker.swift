/// Resolves the names of a ruleset and looks for what the parser cannot see.
struct Checker {
  static let maximumParameters = 7
  static let maximumMatchDepth = 11
  static let maximumCaptures = 20
  static let maximumSegments = 100
  static let maximumCalls = 20
  private static let secondGlob =
    "Invalid glob match expression. Only one glob match is permitted in a match declaration path."

  /// What is known where an expression stands.
  struct Scope {
    var service: String?
    /// The functions in sight, the innermost declaration of each name.
    var functions: [String: FunctionID] = [:]
    /// The captures of the enclosing match blocks; one whose block has a glob may hold a path.
    var captures: [(name: String, isBesideGlob: Bool)] = []
    var segments = 0
    var depth = 0
    /// The function whose body this is.
    var function: FunctionID?
    /// How many of its bindings are in sight.
    var bindings = 0
  }

  let tree: SyntaxTree
  private(set) var issues: [Issue] = []
  /// Those about names, which stand behind those about types in the same place.
  private var nameIssues: [Issue] = []
  private var hasPatternErrors = false
  var resolutions: [Program.Resolution]
  var patterns: [ExpressionID: RegularExpression] = [:]
  /// The functions that each one calls.
  var calls: [[FunctionID]]
  var isCalled: Set<FunctionID> = []
  var usedParameters: [Set<Int>]
  var usedBindings: [Set<Int>]
  /// Uses of `request` and `resource` in functions, which are unknown to one that nothing calls.
  var outerVariables: [[(name: String, range: SourceRange)]]
  /// Calls of what only a service has, in functions.
  var outerCalls: [[ExpressionID]]
  /// Of the uses of captures.
  var captureTypes: [ExpressionID: [RulesType]] = [:]
  /// The conditions of all statements.
  var conditions: [ExpressionID] = []

  // What the types are looked at with.
  /// The condition whose types are looked at.
  var condition: ExpressionID?
  /// Whether it is the body of a function that nothing calls.
  var isUnused = false
  /// Functions that are looked into, one within the other.
  var callDepth = 0
  var bodies: [Expectation: Typing] = [:]

  init(_ tree: SyntaxTree) {
    self.tree = tree
    let count = tree.functions.count
    resolutions = Array(repeating: .none, count: tree.expressions.count)
    calls = Array(repeating: [], count: count)
    usedParameters = Array(repeating: [], count: count)
    usedBindings = Array(repeating: [], count: count)
    outerVariables = Array(repeating: [], count: count)
    outerCalls = Array(repeating: [], count: count)
  }

  mutating func error(_ description: String, at range: SourceRange?) {
    issues.append(Issue(.error, at: range, description))
  }

  mutating func warn(_ description: String, at range: SourceRange?) {
    issues.append(Issue(.warning, at: range, description))
  }

  mutating func warnOfName(_ description: String, at range: SourceRange) {
    nameIssues.append(Issue(.warning, at: range, description))
  }

  mutating func check() -> Program {
    var scope = Scope()
    if tree.services.contains(where: { $0.name.text == "cloud.firestore" }) {
      scope.service = "cloud.firestore"
    }
    declare(tree.topFunctions, in: &scope)
    for function in tree.topFunctions { checkFunction(function, in: scope) }
    var names: Set<String> = []
    for service in tree.services {
      if !names.insert(service.name.text).inserted {
        error("Duplicate service name declaration.", at: service.name.range)
      }
      check(service, in: scope)
    }
    if tree.version == 1, !hasPatternErrors {
      warn(
        "Ruleset uses old version (version [1]). Please update to the latest version (version [2]).",
        at: nil)
    }
    checkCalls()
    checkUses()
    for function in tree.functions.indices { checkBody(function) }
    for condition in conditions { checkCondition(condition) }
    issues += nameIssues
    return Program(tree, resolutions: resolutions, patterns: patterns)
  }
}

// MARK: - Blocks

extension Checker {
  private mutating func declare(_ functions: [FunctionID], in scope: inout Scope) {
    var names: Set<String> = []
    for function in functions {
      let name = tree.functions[function].name
      guard names.insert(name.text).inserted else {
        error("Function \(name.text) is already defined.", at: name.range)
        isCalled.insert(function)
        continue
      }
      scope.functions[name.text] = function
    }
  }

  private mutating func check(_ service: Service, in outer: Scope) {
    var scope = outer
    scope.service = service.name.text
    if !["cloud.firestore", "firebase.storage"].contains(service.name.text) {
      warn("Invalid service name: \(service.name.text).", at: service.name.range)
    }
    declare(service.functions, in: &scope)
    for function in service.functions { checkFunction(function, in: scope) }
    for block in service.matches { check(block, in: scope) }
  }

  private mutating func check(_ block: MatchBlock, in outer: Scope) {
    var scope = outer
    scope.depth += 1
    if scope.depth == Self.maximumMatchDepth + 1 {
      error("Maximum allowed resource rule depth of 10 is reached.", at: block.range)
    }
    checkPattern(block, in: &scope)
    declare(block.functions, in: &scope)
    for function in block.functions { checkFunction(function, in: scope) }
    for item in block.items {
      switch item {
      case .match(let inner): check(inner, in: scope)
      case .allow(let statement): check(statement, in: scope)
      }
    }
  }

  private mutating func checkPattern(_ block: MatchBlock, in scope: inout Scope) {
    var names: Set<String> = []
    var globs = 0
    let hasGlob = block.pattern.contains(where: \.isGlob)
    let isInGlob = scope.captures.contains(where: \.isBesideGlob)
    for (index, segment) in block.pattern.enumerated() {
      guard let name = segment.name else { continue }
      if !names.insert(name.text).inserted {
        error("Variable \(name.text) already exists in the PathTemplate.", at: name.range)
      }
      scope.captures.append((name.text, hasGlob))
      guard segment.isGlob else { continue }
      globs += 1
      if tree.version == 1, index != block.pattern.count - 1 {
        hasPatternErrors = true
        error(
          "Invalid glob match expression. Glob matches are permitted as the last segment in a "
            + "match declaration path.", at: segment.range)
      } else if globs > 1 {
        hasPatternErrors = true
        error(Self.secondGlob, at: segment.range)
      }
    }
    if tree.version != 1, isInGlob, globs == 1 {
      hasPatternErrors = true
      error(Self.secondGlob, at: block.range)
    }
    scope.segments += block.pattern.count
    if scope.segments > Self.maximumSegments {
      error("Maximum allowed path length of 100 is reached.", at: block.range)
    }
    if scope.captures.count > Self.maximumCaptures {
      error("Maximum allowed amount of 20 match field variables is reached.", at: block.range)
    }
    let hasChildren = block.items.contains { item in
      if case .match = item { true } else { false }
    }
    if tree.version == 1, globs > 0, hasChildren {
      warn(
        "Glob(**) resource rules should not have child resource rules.", at: block.range)
    }
  }

  private mutating func check(_ statement: AllowStatement, in scope: Scope) {
    let isKnown = ["cloud.firestore", "firebase.storage"].contains(scope.service)
    for method in statement.methods where !isKnown || !Method.words.contains(method.text) {
      warn("Invalid method name: \(method.text).", at: method.range)
    }
    guard let condition = statement.condition else { return }
    resolve(condition, in: scope)
    conditions.append(condition)
  }

  private mutating func checkFunction(_ function: FunctionID, in outer: Scope) {
    let declaration = tree.functions[function]
    var scope = outer
    scope.function = function
    if declaration.parameters.count > Self.maximumParameters {
      error(
        "Maximum allowed function arguments of 7 for function \(declaration.name.text) is reached.",
        at: declaration.name.range)
    }
    var names: Set<String> = []
    for (index, parameter) in declaration.parameters.enumerated()
    where !names.insert(parameter.text).inserted {
      error("Variable \(parameter.text) is already defined.", at: parameter.range)
      usedParameters[function].insert(index)
    }
    for (index, binding) in declaration.bindings.enumerated() {
      if tree.version == 1 {
        error("Let bindings are not allowed in rules_version=\"1\";", at: binding.name.range)
      }
      scope.bindings = index
      resolve(binding.value, in: scope)
      if !names.insert(binding.name.text).inserted {
        error(
          "The identifier [\(binding.name.text)] is already bound in the current scope.",
          at: binding.name.range)
      }
    }
    scope.bindings = declaration.bindings.count
    resolve(declaration.result, in: scope)
  }
}

// MARK: - Functions

extension Checker {
  /// Looks for recursion and for chains of calls that are too long, without walking down any chain itself.
  private mutating func checkCalls() {
    for (function, callees) in calls.enumerated() where callees.contains(function) {
      error("Recursive call is not allowed.", at: tree.functions[function].name.range)
    }
    guard let order = callOrder() else { return }
    var next: [FunctionID?] = Array(repeating: nil, count: calls.count)
    var heights = Array(repeating: 0, count: calls.count)
    for function in order {
      for callee in calls[function] where heights[callee] + 1 > heights[function] {
        heights[function] = heights[callee] + 1
        next[function] = callee
      }
    }
    let called = Set(calls.joined())
    var told: Set<FunctionID> = []
    for function in calls.indices
    where heights[function] > Self.maximumCalls && !called.contains(function) {
      var chain: [String] = []
      var current = function
      while chain.count <= Self.maximumCalls, let callee = next[current] {
        chain.append(tree.functions[current].name.text)
        current = callee
      }
      guard told.insert(current).inserted else { continue }
      error(
        "Maximum allowed call depth of 20 is reached for [\(chain.joined(separator: "->"))] "
          + "call stack.",
        at: tree.functions[current].name.range)
    }
  }

  /// Every function behind those that it calls; `nil`, with an issue, if they call in a circle.
  private mutating func callOrder() -> [FunctionID]? {
    var order: [FunctionID] = []
    var isDone = Array(repeating: false, count: calls.count)
    var open: [FunctionID] = []
    var positions: [FunctionID: Int] = [:]
    for root in calls.indices where !isDone[root] {
      open = [root]
      positions = [root: 0]
      while let function = open.last {
        let position = positions[function] ?? 0
        guard position < calls[function].count else {
          open.removeLast()
          positions[function] = nil
          isDone[function] = true
          order.append(function)
          continue
        }
        positions[function] = position + 1
        let callee = calls[function][position]
        if callee == function { return nil }
        if positions[callee] != nil, let start = open.firstIndex(of: callee) {
          let cycle = open[start...].map { tree.functions[$0].name.text }
          error(
            "Detected a call cycle between [\(cycle.joined(separator: ","))] functions.",
            at: tree.functions[callee].name.range)
          return nil
        }
        if !isDone[callee] {
          open.append(callee)
          positions[callee] = 0
        }
      }
    }
    return order
  }

  private mutating func checkUses() {
    for (function, declaration) in tree.functions.enumerated() {
      if !isCalled.contains(function) {
        warn("Unused function: \(declaration.name.text).", at: declaration.name.range)
        for use in outerVariables[function] {
          warnOfName("Invalid variable name: \(use.name).", at: use.range)
        }
      }
      checkOuterCalls(of: function)
      for (index, parameter) in declaration.parameters.enumerated()
      where !usedParameters[function].contains(index) {
        warn("Unused variable: \(parameter.text).", at: parameter.range)
      }
      for (index, binding) in declaration.bindings.enumerated()
      where !usedBindings[function].contains(index) {
        warn("Unused variable: \(binding.name.text).", at: binding.name.range)
      }
    }
  }
}
