/// A file of rules with what the compiler says of it.
package struct Ruleset: Sendable {
  /// The name of the file; empty if it came without one.
  package let name: String
  package let content: String
  package let issues: [Issue]
  /// `nil` if it has errors.
  let program: Program?

  /// Compiles a file. Never fails: errors are among the issues.
  package init(name: String, content: String) {
    self.name = name
    self.content = content
    var tree = Parser.parse(content)
    var program: Program?
    if !tree.hasErrors {
      var checker = Checker(tree)
      program = checker.check()
      tree.issues += checker.issues
      if tree.hasErrors { program = nil }
    }
    self.program = program
    issues = Self.sorted(tree.issues)
  }

  /// Whether it can be used.
  package var isValid: Bool { program != nil }

  /// The first line and then every issue on one, as clients are told.
  package var compileError: String {
    (["Error compiling rules:"] + issues.map(\.line)).joined(separator: "\n")
  }

  /// By position, those without one first; otherwise as they were found.
  private static func sorted(_ issues: [Issue]) -> [Issue] {
    issues.enumerated().sorted { left, right in
      let first = (left.element.range?.offset ?? -1, left.offset)
      let second = (right.element.range?.offset ?? -1, right.offset)
      return first < second
    }.map(\.element)
  }
}

/// A ruleset without errors, its names resolved.
struct Program: Sendable {
  /// What a name in an expression stands for.
  enum Resolution: Sendable {
    case none
    /// A variable that nothing defines.
    case undefined
    case request
    case resource
    /// The capture of the enclosing match blocks, counted from the outermost.
    case capture(Int)
    case parameter(Int)
    case binding(Int)
    case function(FunctionID)
    case builtin(Builtin)
    /// The methods of this name, one for each type that has it.
    case methods([Builtin])
  }

  /// A function or method that is built in.
  struct Callee: Sendable {
    let builtin: Builtin
    let signature: Signature

    init(_ builtin: Builtin) {
      self.builtin = builtin
      signature = builtin.signature
    }
  }

  let version: Int
  let expressions: [Expression]
  let functions: [FunctionDeclaration]
  let services: [Service]
  /// By expression.
  let resolutions: [Resolution]
  /// By expression: the functions and methods that are built in and may be meant.
  let callees: [[Callee]]
  /// Literal patterns, compiled once, by the expression of the argument.
  let patterns: [ExpressionID: RegularExpression]

  init(
    _ tree: SyntaxTree, resolutions: [Resolution], patterns: [ExpressionID: RegularExpression]
  ) {
    version = tree.version
    expressions = tree.expressions
    functions = tree.functions
    services = tree.services
    self.resolutions = resolutions
    self.patterns = patterns
    callees = resolutions.map { resolution in
      switch resolution {
      case .builtin(let builtin): [Callee(builtin)]
      case .methods(let builtins): builtins.map(Callee.init)
      case .none, .undefined, .request, .resource, .capture, .parameter, .binding, .function: []
      }
    }
  }

  func service(named name: String) -> Service? { services.first { $0.name.text == name } }
}
