/// A ruleset without errors, its names resolved, ready to be evaluated.
final class Program: Sendable {
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

  /// A function or method that is built in, where it is called.
  final class Callee: Sendable {
    let builtin: Builtin
    /// Of a method.
    let receiver: RulesType?
    let arguments: [ExpressionID]
    /// Whether it takes so many arguments.
    let isDefined: Bool
    let function: Overload.Function
    /// For a function that reads a document, instead of `function`.
    let lookup: DocumentFunction?

    init(
      _ builtin: Builtin, _ arguments: [ExpressionID], _ patterns: [ExpressionID: RegularExpression]
    ) {
      self.builtin = builtin
      self.arguments = builtin.isDebug ? Array(arguments.prefix(1)) : arguments
      receiver = builtin.receiver
      lookup = builtin.lookup
      let overloads = builtin.overloads(argumentCount: self.arguments.count)
      isDefined = !overloads.isEmpty
      function = Overload.function(of: overloads[...], arguments.first.flatMap { patterns[$0] })
    }

    var wrongCount: EvaluationFailure {
      builtin.isDebug
        ? EvaluationFailure("Service call error. Function: [debug], Argument: [].")
        : .argumentCount(arguments.count, builtin.expected)
    }

    /// `operands` has the receiver of a method.
    func wrongTypes(_ operands: [RulesValue]) -> EvaluationFailure {
      let received = operands.dropFirst(receiver == nil ? 0 : 1).prefix(arguments.count)
      let types = received.map(\.typeName).joined(separator: ", ")
      return .unsupported("\(builtin.name)(\(types))", builtin.expected)
    }
  }

  let version: Int
  let expressions: [Expression]
  let functions: [FunctionDeclaration]
  let services: [Service]
  /// By expression.
  let resolutions: [Resolution]
  /// By expression.
  let instructions: [Instruction]
  let steps: [Chain.Step]
  let operands: [Operands]
  /// What literals are, and what functions are called that do not exist.
  let literals: [RulesValue]
  let names: [String]
  /// The parts of the paths that are written out.
  let paths: [[Expression.PathPart]]
  /// By expression: its parts.
  let children: [[ExpressionID]]
  /// By expression: the arguments of a call.
  let arguments: [[ExpressionID]]
  /// By expression: the functions and methods that are built in and may be meant.
  let callees: [[Callee]]

  init(
    _ tree: SyntaxTree, resolutions: [Resolution], patterns: [ExpressionID: RegularExpression]
  ) {
    version = tree.version
    expressions = tree.expressions
    functions = tree.functions
    services = tree.services
    self.resolutions = resolutions
    children = tree.expressions.map(\.children)
    arguments = tree.expressions.map { expression in
      switch expression.kind {
      case .call(_, let arguments), .method(_, _, let arguments): arguments
      case .literal, .list, .map, .path, .variable, .member, .element, .slice, .not, .negate, .and,
        .or, .binary, .typeTest, .conditional:
        []
      }
    }
    callees = zip(resolutions, arguments).map { resolution, arguments in
      switch resolution {
      case .builtin(let builtin): [Callee(builtin, arguments, patterns)]
      case .methods(let builtins): builtins.map { Callee($0, arguments, patterns) }
      case .none, .undefined, .request, .resource, .capture, .parameter, .binding, .function: []
      }
    }
    var assembler = Assembler(tree.expressions)
    for (expression, resolution) in zip(tree.expressions, resolutions) {
      assembler.add(expression, resolution)
    }
    instructions = assembler.instructions
    steps = assembler.steps
    operands = assembler.operands
    literals = assembler.literals
    names = assembler.names
    paths = assembler.paths
  }

  /// A failure with its place: that of the expression `id`, unless it has one.
  func failure(_ failure: EvaluationFailure, _ id: ExpressionID) -> EvaluationFailure {
    guard case .failed(let cause, at: nil) = failure else { return failure }
    return .failed(cause, at: expressions[id].range)
  }

  func service(named name: String) -> Service? { services.first { $0.name.text == name } }
}
