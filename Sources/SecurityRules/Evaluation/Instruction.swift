/// An expression as the evaluator follows it: places in the tables of its program and nothing else, so that a step copies nothing.
enum Instruction: Sendable {
  case literal(Int)
  /// A list of so many literals.
  case constant(Int, count: Int)
  case request
  case resource
  case capture(Int)
  case parameter(Int)
  case binding(Int)
  /// A variable that nothing defines.
  case undefined
  case member(ExpressionID, name: Int)
  case function(FunctionID)
  /// A function that is built in.
  case builtin
  case method(ExpressionID)
  /// A call of what does not exist.
  case missing(name: Int)
  case and(ExpressionID, ExpressionID)
  case or(ExpressionID, ExpressionID)
  case binary(BinaryOperator, ExpressionID, ExpressionID)
  case not(ExpressionID)
  case negate(ExpressionID)
  case typeTest(ExpressionID, TypeTest)
  case conditional(ExpressionID, ExpressionID, ExpressionID)
  /// A list, a map or a path.
  case collection
  /// An element or a slice.
  case part
}

/// Makes the instructions of a program.
struct Assembler {
  private let expressions: [Expression]
  private(set) var literals: [RulesValue] = []
  private(set) var names: [RulesKey] = []

  init(_ expressions: [Expression]) {
    self.expressions = expressions
  }

  mutating func instruction(
    _ expression: Expression, _ resolution: Program.Resolution
  ) -> Instruction {
    switch expression.kind {
    case .literal(let value):
      literals.append(value)
      return .literal(literals.count - 1)
    case .variable: return variable(resolution)
    case .member(let base, let name): return .member(base, name: place(of: name))
    case .call(let name, _): return call(name, resolution)
    case .method(let receiver, let name, _):
      switch resolution {
      case .methods: return .method(receiver)
      // A function of a namespace looks like a method of a variable.
      case .none, .undefined, .request, .resource, .capture, .parameter, .binding, .function,
        .builtin:
        return call(name, resolution)
      }
    case .and(let left, let right): return .and(left, right)
    case .or(let left, let right): return .or(left, right)
    case .binary(let sign, let left, let right): return .binary(sign, left, right)
    case .not(let operand): return .not(operand)
    case .negate(let operand): return .negate(operand)
    case .typeTest(let operand, let test): return .typeTest(operand, test)
    case .conditional(let condition, let first, let second):
      return .conditional(condition, first, second)
    case .list(let items):
      return constant(items)
    case .map, .path: return .collection
    case .element, .slice: return .part
    }
  }

  private mutating func constant(_ items: [ExpressionID]) -> Instruction {
    var values: [RulesValue] = []
    for item in items {
      guard case .literal(let value) = expressions[item].kind else { return .collection }
      values.append(value)
    }
    literals.append(.list(values))
    return .constant(literals.count - 1, count: items.count)
  }

  private func variable(_ resolution: Program.Resolution) -> Instruction {
    switch resolution {
    case .request: .request
    case .resource: .resource
    case .capture(let index): .capture(index)
    case .parameter(let index): .parameter(index)
    case .binding(let index): .binding(index)
    case .none, .undefined, .function, .builtin, .methods: .undefined
    }
  }

  private mutating func call(_ name: String, _ resolution: Program.Resolution) -> Instruction {
    switch resolution {
    case .function(let function): .function(function)
    case .builtin: .builtin
    case .none, .undefined, .request, .resource, .capture, .parameter, .binding, .methods:
      .missing(name: place(of: name))
    }
  }

  private mutating func place(of name: String) -> Int {
    names.append(RulesKey(name))
    return names.count - 1
  }
}
