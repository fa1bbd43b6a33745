extension Parser {
  /// Levels of an expression's tree that are still evaluated safely.
  private static let maximumDepth = 99
  /// Levels that the parser itself goes down.
  private static let maximumNesting = 200

  private static let tooComplex = "Expression is too complex to evaluate safely."

  /// Namespaces of functions, which are no variables.
  static let namespaces: Set<String> = ["math", "duration", "timestamp", "latlng", "hashing"]

  /// An expression that stands alone: a condition, a `let`, a result.
  mutating func completeExpression() throws(Failure) -> ExpressionID {
    let expression = try expression()
    if depths[expression] > Self.maximumDepth {
      issue(Self.tooComplex, at: tree.expressions[expression].range)
    }
    return expression
  }

  /// Whether the current token can begin an expression.
  var isAtOperand: Bool {
    switch token().kind {
    case .identifier:
      isAtName || isAt("true") || isAt("false") || isAt("null")
    case .integer, .float, .string, .bytes, .pathSegment: true
    case .symbol:
      isAt("(") || isAt("[") || isAt("{") || isAt("!") || isAt("-") || isAt("/")
    case .invalid, .end: false
    }
  }

  mutating func expression() throws(Failure) -> ExpressionID {
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= Self.maximumNesting else {
      issue(Self.tooComplex)
      throw Failure()
    }
    let condition = try binary(above: 0)
    let mark = token().range
    guard take("?") else { return condition }
    let first = try expression()
    try expect(":")
    let second = try expression()
    return add(
      .conditional(condition, first, second),
      range: range(of: condition).through(range(of: second)), mark: mark)
  }

  /// Keeps an expression and its depth.
  private mutating func add(
    _ kind: Expression.Kind, range: SourceRange, mark: SourceRange? = nil
  ) -> ExpressionID {
    let expression = Expression(kind: kind, range: range, mark: mark ?? range)
    tree.expressions.append(expression)
    depths.append(1 + (expression.children.map { depths[$0] }.max() ?? 0))
    return depths.count - 1
  }

  private func range(of expression: ExpressionID) -> SourceRange {
    tree.expressions[expression].range
  }

  /// Where something with these parts ends: with the last one, or if there is none with `word`. Closing brackets do not count, as
  /// the official emulator reports it.
  private func end(of parts: [ExpressionID], _ word: SourceRange) -> SourceRange {
    parts.last.map { range(of: $0) } ?? word
  }
}

// MARK: - Operators

extension Parser {
  /// How tightly the operator at the current token binds; 0 if there is none.
  private var precedence: Int {
    switch token().text {
    case _ where token().kind != .symbol && token().kind != .identifier: 0
    case "||": 1
    case "&&": 2
    case "in": 3
    case "is": 4
    case "==", "!=": 5
    case "<", "<=", ">", ">=": 6
    case "+", "-": 7
    case "*", "/", "%": 8
    default: 0
    }
  }

  private mutating func binary(above minimum: Int) throws(Failure) -> ExpressionID {
    var left = try unary()
    while precedence > minimum {
      let level = precedence
      let sign = token()
      advance()
      if sign.text == "is" {
        let (test, end) = try typeTest()
        left = add(
          .typeTest(left, test), range: range(of: left).through(end), mark: sign.range)
        continue
      }
      let right = try binary(above: level)
      let whole = range(of: left).through(range(of: right))
      let kind: Expression.Kind =
        switch sign.text {
        case "||": .or(left, right)
        case "&&": .and(left, right)
        default: .binary(BinaryOperator(rawValue: sign.text) ?? .equal, left, right)
        }
      left = add(kind, range: whole, mark: sign.range)
    }
    if isAt("++") || isAt("--") { throw increment() }
    return left
  }

  private mutating func increment() -> Failure {
    advance()
    issue("Increment (++) and decrement (--) operators are not supported.")
    return Failure()
  }

  private mutating func typeTest() throws(Failure) -> (TypeTest, SourceRange) {
    let word = token()
    if word.kind != .identifier || ["true", "false", "null"].contains(word.text) {
      issue("mismatched input '\(word.quoted)' expecting IDENTIFIER")
    }
    if word.kind != .end { advance() }
    guard word.kind == .identifier, let test = TypeTest(rawValue: word.text) else {
      let names =
        "bool,bytes,constraint,duration,float,int,latlng,list,vector,set,number,map,string,"
        + "timestamp,path,map_diff"
      issue(
        "An unsupported type identifier was used with the 'is' operator. "
          + "Received \(word.quoted). Expected one of \(names)")
      throw Failure()
    }
    return (test, word.range)
  }

  private mutating func unary() throws(Failure) -> ExpressionID {
    var marks: [SourceRange] = []
    while isAt("!") {
      marks.append(token().range)
      advance()
    }
    if isAt("--") || isAt("++") { throw increment() }
    let minus = token()
    var operand: ExpressionID
    if take("-") {
      guard isAtOperand, !isAt("-"), !isAt("!") else { throw unexpected() }
      if token().kind == .integer, token().text == "9223372036854775808" {
        operand = add(.literal(.int(.min)), range: minus.range.through(token().range))
        advance()
      } else {
        let positive = try postfix(isNegated: true)
        operand = add(
          .negate(positive), range: minus.range.through(range(of: positive)), mark: minus.range)
      }
    } else {
      operand = try postfix()
    }
    for mark in marks.reversed() {
      operand = add(.not(operand), range: mark.through(range(of: operand)), mark: mark)
    }
    return operand
  }
}

// MARK: - Members, elements, calls

extension Parser {
  private mutating func postfix(isNegated: Bool = false) throws(Failure) -> ExpressionID {
    let first = token()
    var base = try primary()
    if first.isText("("), !isNegated, !isAt("."), !isAt("[") { mark(base, at: first.range) }
    while true {
      if take(".") {
        base = try member(of: base)
      } else if take("[") {
        base = try element(of: base, from: first.range)
      } else {
        return base
      }
    }
  }

  /// Messages about something plain in parentheses point at the opening one.
  private mutating func mark(_ inner: ExpressionID, at parenthesis: SourceRange) {
    switch tree.expressions[inner].kind {
    case .literal, .variable, .list, .map, .path: tree.expressions[inner].mark = parenthesis
    case .call, .method, .member, .element, .slice, .not, .negate, .and, .or, .binary, .typeTest,
      .conditional:
      break
    }
  }

  private mutating func member(of base: ExpressionID) throws(Failure) -> ExpressionID {
    let field = token()
    guard field.kind == .identifier, field.text != "service", field.text != "rules_version" else {
      throw unexpected()
    }
    advance()
    let start = range(of: base)
    guard isAt("(") else {
      return add(
        .member(base, field.text), range: start.through(field.range), mark: field.range)
    }
    let arguments = try arguments()
    return add(
      .method(base, field.text, arguments), range: start.through(end(of: arguments, field.range)),
      mark: field.range)
  }

  /// Behind the opening bracket.
  private mutating func element(
    of base: ExpressionID, from first: SourceRange
  ) throws(Failure) -> ExpressionID {
    let start = isAt(":") ? nil : try expression()
    if let start, take("]") {
      return add(
        .element(base, start), range: range(of: base).through(range(of: start)), mark: first)
    }
    try expect(":")
    let end = isAt("]") ? nil : try expression()
    try expect("]")
    let last = end ?? start ?? base
    return add(
      .slice(base, start, end), range: range(of: base).through(range(of: last)), mark: first)
  }

  /// From the opening parenthesis through the closing one.
  private mutating func arguments() throws(Failure) -> [ExpressionID] {
    try expect("(")
    return try items(until: ")")
  }

  private mutating func items(until end: StaticString) throws(Failure) -> [ExpressionID] {
    var items: [ExpressionID] = []
    while !take(end) {
      items.append(try expression())
      if !isAt(end) { try expect(",") }
    }
    return items
  }
}

// MARK: - Primaries

extension Parser {
  private mutating func primary() throws(Failure) -> ExpressionID {
    let first = token()
    switch first.kind {
    case .integer, .float, .string, .bytes: return literal()
    case .pathSegment: return try path()
    case .identifier: return try word()
    case .symbol: break
    case .invalid, .end: throw unexpected()
    }
    if isAt("/") { return try path() }
    if take("(") {
      let inner = try expression()
      try expect(")")
      depths[inner] += 1
      return inner
    }
    if take("[") {
      let items = try items(until: "]")
      return add(
        .list(items), range: first.range.through(end(of: items, first.range)), mark: first.range)
    }
    guard take("{") else { throw unexpected() }
    var entries: [Expression.MapEntry] = []
    while !take("}") {
      let key = try expression()
      try expect(":")
      entries.append(Expression.MapEntry(key: key, value: try expression()))
      if !isAt("}") { try expect(",") }
    }
    return add(
      .map(entries), range: first.range.through(end(of: entries.map(\.value), first.range)),
      mark: first.range)
  }

  private mutating func literal() -> ExpressionID {
    let token = token()
    advance()
    var value = RulesValue.null
    if token.kind == .integer {
      if let number = Int64(token.text) {
        value = .int(number)
      } else {
        issue("Invalid number literal \(token.text).", at: token.range)
      }
    } else if token.kind == .float {
      value = .float(Double("0" + token.text + "0") ?? .infinity)
    } else if token.kind == .string {
      value = .string(token.value)
    } else if let bytes = token.bytes {
      value = .bytes(bytes)
    } else {
      issue("Invalid bytes literal \(token.text).", at: token.range)
    }
    return add(.literal(value), range: token.range)
  }

  private mutating func word() throws(Failure) -> ExpressionID {
    let word = token()
    if let constant = Self.constants[word.text] {
      advance()
      return add(.literal(constant), range: word.range)
    }
    guard isAtName else { throw unexpected() }
    advance()
    if Self.namespaces.contains(word.text) {
      guard isAt("."), token(1).kind == .identifier, token(2).isText("(") else {
        issue("\(word.text) is a package and cannot be used as variable name.", at: word.range)
        return add(.literal(.null), range: word.range)
      }
      advance()
      let name = token()
      advance()
      let arguments = try arguments()
      return add(
        .call("\(word.text).\(name.text)", arguments),
        range: word.range.through(end(of: arguments, name.range)),
        mark: name.range)
    }
    guard isAt("(") else { return add(.variable(word.text), range: word.range) }
    let arguments = try arguments()
    return add(
      .call(word.text, arguments), range: word.range.through(end(of: arguments, word.range)),
      mark: word.range)
  }

  private static let constants: [String: RulesValue] = [
    "true": .bool(true), "false": .bool(false), "null": .null,
  ]

  private mutating func path() throws(Failure) -> ExpressionID {
    let start = token().range
    var parts: [Expression.PathPart] = []
    while true {
      let slash = token()
      if slash.kind == .pathSegment {
        advance()
        parts.append(.text(RulesPath.decoded(slash.text)))
        continue
      }
      // A slash behind the first part may also divide; only these two are parts of a path.
      let hasValue = token(1).isText("$") && token(2).isText("(")
      guard isAt("/"), parts.isEmpty || hasValue || token(1).isText("{") else { break }
      advance()
      if hasValue {
        for _ in 0..<2 { advance() }
        parts.append(.value(try expression()))
        try expect(")")
      } else if let (name, isGlob) = capture() {
        parts.append(isGlob ? .glob(name.text) : .capture(name.text))
      } else {
        issue(
          "Forward slash '/' found where identifier or binding expected.", at: slash.range)
        throw Failure()
      }
    }
    return add(.path(parts), range: start.through(previous.range), mark: start)
  }
}
