/// Tokens to declarations. Each grammar rule is a method; the first error of a statement ends the statement.
struct Parser {
  /// An error that is among the issues already.
  struct Failure: Error {}

  /// Blocks within one another; more is an error of the checker, much more of the parser.
  private static let maximumBlocks = 60

  private let tokens: [Token]
  private var index = 0
  /// The blocks that are open.
  private var openBlocks = 0
  /// Expressions within one another.
  var nesting = 0
  var tree = SyntaxTree()
  /// By expression: how many levels it has, parentheses counted.
  var depths: [Int] = []

  /// Reads all of a file. The tree of a file with errors is not whole.
  static func parse(_ text: String) -> SyntaxTree {
    var parser = Parser(tokens: Lexer.tokens(of: text))
    if text.isEmpty {
      parser.tree.issues = [
        Issue(.error, at: nil, "Rules content empty. Compilation aborted.")
      ]
      return parser.tree
    }
    try? parser.ruleset()
    return parser.tree
  }

  private init(tokens: [Token]) {
    self.tokens = tokens
  }

  // MARK: Tokens

  /// The token `distance` ahead; behind the last one, the last one.
  func token(_ distance: Int = 0) -> Token {
    tokens[min(index + distance, tokens.count - 1)]
  }

  func isAt(_ text: StaticString) -> Bool { token().isText(text) }

  mutating func advance() {
    if index < tokens.count - 1 { index += 1 }
  }

  /// The token before the current one.
  var previous: Token { tokens[max(index - 1, 0)] }

  mutating func take(_ text: StaticString) -> Bool {
    guard isAt(text) else { return false }
    advance()
    return true
  }

  mutating func expect(_ text: StaticString) throws(Failure) {
    guard take(text) else { throw unexpected() }
  }

  mutating func issue(_ description: String, at range: SourceRange? = nil) {
    tree.issues.append(Issue(.error, at: range ?? token().range, description))
  }

  /// The current token does not belong here.
  mutating func unexpected() -> Failure {
    issue(token().kind == .invalid ? token().message : "Unexpected '\(token().quoted)'.")
    if token().kind == .end, openBlocks > 0 {
      issue(
        openBlocks == 1 ? "missing '}' at '<EOF>'" : "mismatched input '<EOF>' expecting '}'")
    }
    return Failure()
  }

  mutating func mismatched(_ expected: String) -> Failure {
    issue("mismatched input '\(token().quoted)' expecting \(expected)")
    return Failure()
  }

  /// Words that are no names.
  static let reserved: Set<String> = [
    "true", "false", "null", "in", "is", "match", "allow", "if", "function", "return", "let",
    "service", "rules_version", "import",
  ]

  var isAtName: Bool { token().kind == .identifier && !Self.reserved.contains(token().text) }

  mutating func name() throws(Failure) -> DeclaredName {
    guard isAtName else { throw unexpected() }
    defer { advance() }
    return DeclaredName(text: token().text, range: token().range)
  }
}

// MARK: - Ruleset and services

extension Parser {
  private mutating func ruleset() throws(Failure) {
    let hasVersion = try version()
    while isAt("import") { try importStatement() }
    while isAt("function") { tree.topFunctions.append(try function()) }
    guard isAt("service") || !tree.topFunctions.isEmpty else {
      guard token().kind != .invalid else { throw unexpected() }
      throw mismatched(
        hasVersion
          ? "{'function', 'import', 'service'}"
          : "{'function', 'import', 'service', 'rules_version'}")
    }
    while token().kind != .end {
      if isAt("function") {
        tree.topFunctions.append(try function())
      } else if isAt("service") {
        tree.services.append(try service())
      } else {
        throw unexpected()
      }
    }
  }

  private mutating func version() throws(Failure) -> Bool {
    let range = token().range
    guard take("rules_version") else { return false }
    try expect("=")
    guard token().kind == .string else { throw mismatched("STRING") }
    switch token().value {
    case "1": tree.version = 1
    case "2": tree.version = 2
    default: issue("Unsupported rules version \(token().value).", at: range)
    }
    advance()
    _ = take(";")
    return true
  }

  private mutating func importStatement() throws(Failure) {
    let range = token().range
    advance()
    guard token().kind == .string else { throw mismatched("STRING") }
    issue("Import statements are not allowed.", at: range)
    issue("Module \"\(token().value)\" is not part of the standard library.", at: range)
    advance()
    if take("as") { _ = try name() }
    _ = take(";")
  }

  private mutating func service() throws(Failure) -> Service {
    advance()
    var name = try name()
    while take(".") {
      let part = try self.name()
      name = DeclaredName(
        text: name.text + "." + part.text, range: name.range.through(part.range))
    }
    var service = Service(name: name)
    try expect("{")
    openBlocks += 1
    while !isAt("}") {
      if isAt("function") {
        service.functions.append(try function())
      } else if isAt("match") {
        service.matches.append(try match())
      } else {
        throw unexpected()
      }
    }
    if service.functions.isEmpty && service.matches.isEmpty {
      issue("The 'service' body must contain at least one declaration.")
    }
    openBlocks -= 1
    advance()
    return service
  }

  private mutating func match() throws(Failure) -> MatchBlock {
    var block = MatchBlock(pattern: [], range: token().range)
    advance()
    block.pattern = try pattern()
    try expect("{")
    openBlocks += 1
    guard openBlocks <= Self.maximumBlocks else {
      issue("Maximum allowed resource rule depth of 10 is reached.", at: block.range)
      throw Failure()
    }
    while !isAt("}") {
      if isAt("function") {
        block.functions.append(try function())
      } else if isAt("match") {
        block.items.append(.match(try match()))
      } else if token().kind == .end {
        throw unexpected()
      } else if isAt("allow") {
        do throws(Failure) { block.items.append(.allow(try allow())) } catch { skipStatement() }
      } else {
        _ = unexpected()
        skipStatement()
      }
    }
    let hasErrors = tree.issues.contains { $0.severity == .error }
    if block.functions.isEmpty && block.items.isEmpty && !hasErrors {
      issue("The 'match' body must contain at least one declaration.")
    }
    openBlocks -= 1
    advance()
    return block
  }

  /// After an error: on behind the next semicolon, or before the end of the block.
  private mutating func skipStatement() {
    while token().kind != .end, !isAt("}") {
      defer { advance() }
      if isAt(";") { return }
    }
  }

  private mutating func pattern() throws(Failure) -> [PatternSegment] {
    guard token().kind == .pathSegment || isAt("/") else { throw unexpected() }
    var segments: [PatternSegment] = []
    while true {
      let slash = token()
      if slash.kind == .pathSegment {
        advance()
        segments.append(
          PatternSegment(kind: .text(RulesPath.decoded(slash.text)), range: slash.range))
      } else if take("/") {
        guard let (name, isGlob) = capture() else {
          issue(
            "Forward slash '/' found where identifier or binding expected.", at: slash.range)
          throw Failure()
        }
        segments.append(
          PatternSegment(
            kind: isGlob ? .glob(name.text) : .capture(name.text), range: slash.range, name: name))
      } else {
        return segments
      }
    }
  }

  /// `{name}`, `{name=*}` or `{name=**}`; moves nothing if there is none.
  mutating func capture() -> (name: DeclaredName, isGlob: Bool)? {
    guard isAt("{"), token(1).kind == .identifier, !Self.reserved.contains(token(1).text) else {
      return nil
    }
    let name = DeclaredName(text: token(1).text, range: token(1).range)
    if token(2).isText("}") {
      for _ in 0..<3 { advance() }
      return (name, false)
    }
    guard token(2).isText("="), token(3).isText("*") || token(3).isText("**"),
      token(4).isText("}")
    else { return nil }
    let isGlob = token(3).isText("**")
    for _ in 0..<5 { advance() }
    return (name, isGlob)
  }
}

// MARK: - Statements and functions

extension Parser {
  private mutating func allow() throws(Failure) -> AllowStatement {
    let word = token().range
    advance()
    guard isAtName else {
      issue("Expected at least one 'operation' after 'allow'.")
      throw unexpected()
    }
    var methods = [try name()]
    while isAt(",") {
      guard token(1).kind == .identifier, !Self.reserved.contains(token(1).text) else {
        throw unexpected()
      }
      advance()
      methods.append(try name())
    }
    guard isAt(":") || isAt("if") else {
      _ = take(";")
      return AllowStatement(methods: methods, condition: nil, range: word)
    }
    if !take(":") {
      issue("Missing ':' before 'if' condition.")
    }
    if !take("if") {
      guard isAtOperand else { throw unexpected() }
      issue("Missing 'if' before conditional expression.")
    }
    if isAt(";") || isAt("}") {
      issue("Missing conditional expression after 'if'.")
      throw Failure()
    }
    let start = token().range
    let condition = try completeExpression()
    _ = take(";")
    return AllowStatement(methods: methods, condition: condition, range: start)
  }

  private mutating func function() throws(Failure) -> FunctionID {
    advance()
    let name = try name()
    try expect("(")
    var parameters: [DeclaredName] = []
    if !isAt(")") {
      parameters.append(try self.name())
      while take(",") { parameters.append(try self.name()) }
    }
    try expect(")")
    try expect("{")
    openBlocks += 1
    guard !isAt("}") else {
      issue("Missing 'function' body")
      throw Failure()
    }
    let first = isAt("let") ? token().range : nil
    var bindings: [FunctionDeclaration.Binding] = []
    while take("let") {
      let name = try self.name()
      try expect("=")
      bindings.append(.init(name: name, value: try completeExpression()))
      if !take(";") {
        guard isAt("return") || isAt("let") else { throw unexpected() }
        issue("missing ';' at '\(token().quoted)'")
      }
    }
    try expect("return")
    let result = try completeExpression()
    _ = take(";")
    guard isAt("}") else {
      throw token().kind == .identifier ? mismatched("'}'") : unexpected()
    }
    openBlocks -= 1
    advance()
    tree.functions.append(
      FunctionDeclaration(
        name: name, parameters: parameters, bindings: bindings, result: result,
        start: first ?? tree.expressions[result].range))
    return tree.functions.count - 1
  }
}
