/// The place of a function in its ruleset's table.
typealias FunctionID = Int

/// A name that the source gives to something.
struct DeclaredName: Sendable {
  var text: String
  var range: SourceRange
}

/// `function name(parameters) { let …; return …; }`
struct FunctionDeclaration: Sendable {
  struct Binding: Sendable {
    var name: DeclaredName
    var value: ExpressionID
  }

  var name: DeclaredName
  var parameters: [DeclaredName]
  var bindings: [Binding]
  var result: ExpressionID
  /// Where the first `let` stands, or the result without one.
  var start: SourceRange
}

/// `allow methods: if condition;`
struct AllowStatement: Sendable {
  var methods: [DeclaredName]
  /// `nil` allows always.
  var condition: ExpressionID?
  /// Where the condition begins; without one, where the statement begins.
  var range: SourceRange
}

/// One segment of the pattern of a match block.
struct PatternSegment: Sendable {
  enum Kind: Sendable {
    case text(String)
    case capture(String)
    case glob(String)
  }

  var kind: Kind
  var range: SourceRange
  /// The name of a capture.
  var name: DeclaredName?

  var isGlob: Bool {
    if case .glob = kind { true } else { false }
  }
}

/// `match pattern { … }`
struct MatchBlock: Sendable {
  enum Item: Sendable {
    case match(MatchBlock)
    case allow(AllowStatement)
  }

  var pattern: [PatternSegment]
  /// The word `match`.
  var range: SourceRange
  var functions: [FunctionID] = []
  /// In the order of the source.
  var items: [Item] = []
}

/// `service name { … }`
struct Service: Sendable {
  var name: DeclaredName
  var functions: [FunctionID] = []
  var matches: [MatchBlock] = []
}

/// What the parser makes of a file.
struct SyntaxTree: Sendable {
  var version = 1
  var expressions: [Expression] = []
  var functions: [FunctionDeclaration] = []
  /// Functions outside of services.
  var topFunctions: [FunctionID] = []
  var services: [Service] = []
  var issues: [Issue] = []

  var hasErrors: Bool { issues.contains { $0.severity == .error } }
}
