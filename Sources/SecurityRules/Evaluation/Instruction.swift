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
  /// Members of members of a root.
  case members(Chain)
  case function(FunctionID)
  /// A function that is built in.
  case builtin
  case method(ExpressionID)
  /// A call of what does not exist.
  case missing(name: Int)
  /// The places of the operands of several that lie in one another, the innermost first.
  case and(Range<Int>)
  case or(Range<Int>)
  case binary(BinaryOperator, ExpressionID, ExpressionID)
  case not(ExpressionID)
  case negate(ExpressionID)
  case typeTest(ExpressionID, TypeTest)
  case conditional(ExpressionID, ExpressionID, ExpressionID)
  case list
  case map
  case path(Int)
  /// An element or a slice.
  case part
}

/// `root.a.b.c`, followed at once: most of what rules evaluate are members.
struct Chain: Sendable {
  let root: ExpressionID
  /// The places of its steps in the table of the program, from the root outwards.
  let steps: Range<Int>

  struct Step: Sendable {
    let expression: ExpressionID
    /// How the name of the member begins.
    let start: RulesKey.Start
  }
}

/// `left && right` or `left || right`. The left side may be the one before it in the table.
struct Operands: Sendable {
  let expression: ExpressionID
  let left: ExpressionID
  let right: ExpressionID
}

/// Makes the instructions of a program.
struct Assembler {
  private let expressions: [Expression]
  /// By expression; the parts of one come before it.
  private(set) var instructions: [Instruction] = []
  private(set) var steps: [Chain.Step] = []
  private(set) var operands: [Operands] = []
  private(set) var literals: [RulesValue] = []
  private(set) var names: [String] = []
  private(set) var paths: [[Expression.PathPart]] = []

  init(_ expressions: [Expression]) {
    self.expressions = expressions
  }

  /// Adds the instruction for the next expression.
  mutating func add(_ expression: Expression, _ resolution: Program.Resolution) {
    instructions.append(instruction(expression, resolution))
  }

  private mutating func instruction(
    _ expression: Expression, _ resolution: Program.Resolution
  ) -> Instruction {
    switch expression.kind {
    case .literal(let value):
      literals.append(value)
      return .literal(literals.count - 1)
    case .variable: return variable(resolution)
    case .member(let base, let name): return .members(chain(base, name))
    case .call(let name, _): return call(name, resolution)
    case .method(let receiver, let name, _):
      switch resolution {
      case .methods: return .method(receiver)
      // A function of a namespace looks like a method of a variable.
      case .none, .undefined, .request, .resource, .capture, .parameter, .binding, .function,
        .builtin:
        return call(name, resolution)
      }
    case .and(let left, let right):
      return .and(operands(left, right) { if case .and(let range) = $0 { range } else { nil } })
    case .or(let left, let right):
      return .or(operands(left, right) { if case .or(let range) = $0 { range } else { nil } })
    case .binary(let sign, let left, let right): return .binary(sign, left, right)
    case .not(let operand): return .not(operand)
    case .negate(let operand): return .negate(operand)
    case .typeTest(let operand, let test): return .typeTest(operand, test)
    case .conditional(let condition, let first, let second):
      return .conditional(condition, first, second)
    case .list(let items):
      return constant(items)
    case .map: return .map
    case .path(let parts):
      paths.append(parts)
      return .path(paths.count - 1)
    case .element, .slice: return .part
    }
  }

  private mutating func constant(_ items: [ExpressionID]) -> Instruction {
    var values: [RulesValue] = []
    for item in items {
      guard case .literal(let value) = expressions[item].kind else { return .list }
      values.append(value)
    }
    literals.append(.list(values))
    return .constant(literals.count - 1, count: items.count)
  }

  /// One step more than `base`, if that is a chain itself and was the last one: then nobody else follows it.
  private mutating func chain(_ base: ExpressionID, _ name: String) -> Chain {
    steps.append(Chain.Step(expression: instructions.count, start: RulesKey(name).start))
    let end = steps.count
    guard base < instructions.count, case .members(let inner) = instructions[base],
      inner.steps.upperBound == end - 1
    else { return Chain(root: base, steps: end - 1..<end) }
    return Chain(root: inner.root, steps: inner.steps.lowerBound..<end)
  }

  /// The operands behind those of the left side, if that has some of the same kind and they were the last ones.
  private mutating func operands(
    _ left: ExpressionID, _ right: ExpressionID, _ inner: (Instruction) -> Range<Int>?
  ) -> Range<Int> {
    operands.append(Operands(expression: instructions.count, left: left, right: right))
    let end = operands.count
    guard left < instructions.count, let inner = inner(instructions[left]),
      inner.upperBound == end - 1
    else { return end - 1..<end }
    return inner.lowerBound..<end
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
    names.append(name)
    return names.count - 1
  }
}
