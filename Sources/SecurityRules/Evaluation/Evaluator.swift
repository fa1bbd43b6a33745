/// Evaluates expressions of a ruleset for one request: one phase of one method on one document.
///
/// Every evaluated expression counts, so that no input makes it go on or go deeper than `limit`.
struct Evaluator: ~Copyable {
  static let limit = 1000

  /// What the names `request` and `resource` stand for.
  struct Variables {
    private enum Request {
      case map(RulesMap)
      /// The read of a document, put together when something needs the whole of it.
      case read(RulesPath, RulesRequestContext)
    }

    enum Resource {
      case value(RulesValue)
      /// The document that is read, looked at when something asks for it.
      case stored(RulesPath, in: LookupCache)
    }

    private let whole: Request
    private let source: Resource

    init(request: RulesMap, resource: RulesValue) {
      whole = .map(request)
      source = .value(resource)
    }

    /// Of the read of the document at `path`.
    init(read path: RulesPath, _ context: RulesRequestContext, resource: Resource) {
      whole = .read(path, context)
      source = resource
    }

    var resource: RulesValue {
      switch source {
      case .value(let value): value
      case .stored(let path, let cache): cache.stored(path)?.value ?? .null
      }
    }

    var request: RulesMap {
      switch whole {
      case .map(let map): map
      case .read(let path, let context): context.request(.get, path: .path(path), fields: .null)
      }
    }

    /// A member of `request` that is at hand without the whole.
    func memberOfRequest(_ start: RulesKey.Start) -> RulesValue? {
      guard case .read(_, let context) = whole else { return nil }
      return context.member(start)
    }
  }

  /// Reads a document for `get` and its like; a failure is the value of the call.
  typealias Lookup = (DocumentFunction, RulesPath) throws(EvaluationFailure) -> RulesValue

  let program: Program
  let variables: Variables
  let lookup: Lookup
  /// Once it was looked at.
  private var resource: RulesValue?
  /// Where every outcome is counted; `nil` if it is not.
  private var record: CoverageRecord?
  /// Where every outcome is kept; `nil` if it is not.
  private let trace: Trace?
  private var count = 0

  init(
    _ program: Program, _ variables: Variables, record: CoverageRecord? = nil,
    trace: Trace? = nil, lookup: @escaping Lookup
  ) {
    self.program = program
    self.variables = variables
    self.record = record
    self.trace = trace
    self.lookup = lookup
  }

  /// What was counted; the evaluation is over.
  mutating func takeRecord() -> CoverageRecord? { record.take() }

  /// The value of a condition.
  mutating func condition(_ id: ExpressionID, _ frame: Frame) throws(EvaluationFailure) -> Bool {
    try boolean(evaluate(id, frame), id)
  }

  func boolean(_ value: RulesValue, _ id: ExpressionID) throws(EvaluationFailure) -> Bool {
    guard case .bool(let bool) = value else {
      throw program.failure(.type(value.typeName, "bool"), id)
    }
    return bool
  }

  mutating func evaluate(_ id: ExpressionID, _ frame: Frame) throws(EvaluationFailure) -> RulesValue
  {
    count += 1
    guard count <= Self.limit else { throw program.failure(.tooMany, id) }
    if case .literal(let index) = program.instructions[id], trace == nil {
      return program.literals[index]
    }
    do throws(EvaluationFailure) {
      let value = try value(id, frame)
      observe(value, of: id)
      return value
    } catch {
      let error = program.failure(error, id)
      observe(error, of: id)
      throw error
    }
  }

  /// One function a kind: the frames of this one lie on the stack as often as expressions lie in one another.
  @inline(__always)
  private mutating func value(
    _ id: ExpressionID, _ frame: Frame
  ) throws(EvaluationFailure) -> RulesValue {
    switch program.instructions[id] {
    case .literal(let index): program.literals[index]
    case .constant(let index, let items): try constant(index, items, id, frame)
    case .request: .map(variables.request)
    case .resource: try known(theResource())
    case .capture(let index): try capture(index, frame)
    case .parameter(let index): try parameter(index, frame)
    case .binding(let index): try binding(index, frame)
    case .undefined: throw .null
    case .members(let chain): try members(chain, frame)
    case .function(let function): try call(function, program.arguments[id], frame)
    case .builtin: try builtin(id, frame)
    case .method(let receiver): try method(receiver, id, frame)
    case .missing(let name): throw .noFunction(program.names[name])
    case .and(let operands): try connect(operands, decisive: false, id, frame)
    case .or(let operands): try connect(operands, decisive: true, id, frame)
    case .binary(let sign, let left, let right): try binary(sign, left, right, frame)
    case .not(let operand): try not(operand, frame)
    case .negate(let operand): try Arithmetic.negated(evaluate(operand, frame))
    case .typeTest(let operand, let test): try typeTest(operand, test, frame)
    case .conditional(let condition, let first, let second):
      try conditional(condition, first, second, frame)
    case .list: try RulesValue.list(values(program.children[id], frame)).bounded()
    case .map: try map(program.children[id], frame).bounded()
    case .path(let index): try path(program.paths[index], frame).bounded()
    case .part: try part(id, frame)
    }
  }

  @inline(never)
  private mutating func constant(
    _ index: Int, _ items: Int, _ id: ExpressionID, _ frame: Frame
  ) throws(EvaluationFailure) -> RulesValue {
    guard count + items <= Self.limit else { return .list(try values(program.children[id], frame)) }
    count += items
    return program.literals[index]
  }

  private mutating func theResource() -> RulesValue {
    if let resource { return resource }
    let value = variables.resource
    resource = value
    return value
  }

  /// The value of a variable.
  private func known(_ value: RulesValue) throws(EvaluationFailure) -> RulesValue {
    if case .unknown = value { throw .unknown }
    return value
  }

  private func capture(_ index: Int, _ frame: Frame) throws(EvaluationFailure) -> RulesValue {
    guard let capture = frame.captures[index] else { throw .null }
    return try known(capture)
  }

  /// As if each step were evaluated on its own, the outermost of which has been counted and will be observed by who has called.
  private mutating func members(
    _ chain: Chain, _ frame: Frame
  ) throws(EvaluationFailure) -> RulesValue {
    let inner = chain.steps.lowerBound..<chain.steps.upperBound - 1
    // The outer ones are counted first.
    guard count + inner.count <= Self.limit else {
      let first = inner.endIndex - 1 - (Self.limit - count)
      count = Self.limit + 1
      throw observe(
        program.failure(.tooMany, program.steps[first].expression), of: inner[(first + 1)...])
    }
    count += inner.count
    var base = chain.root
    var next = chain.steps.lowerBound
    var value: RulesValue
    if let member = memberOfRequest(chain) {
      value = member
      base = program.steps[next].expression
      if next < inner.endIndex { observe(value, of: base) }
      next += 1
    } else {
      do throws(EvaluationFailure) { value = try evaluate(base, frame) } catch {
        throw observe(error, of: inner)
      }
    }
    // Maps within maps: most steps, with nothing to fail.
    while next < inner.endIndex, case .map(let map) = value,
      let place = map.place(of: program.steps[next].start, text(of: next)),
      case .map(let deeper) = map.entries[place].value
    {
      value = .map(deeper)
      base = program.steps[next].expression
      observe(value, of: base)
      next += 1
    }
    for step in next..<chain.steps.endIndex {
      do throws(EvaluationFailure) {
        value = try member(step, of: value)
      } catch {
        throw observe(program.failure(error, base), of: inner[min(step, inner.endIndex)...])
      }
      base = program.steps[step].expression
      if step < inner.endIndex { observe(value, of: base) }
    }
    return value
  }

  /// The first step of a chain, if that is a member of `request` and nothing needs the whole of that.
  private mutating func memberOfRequest(_ chain: Chain) -> RulesValue? {
    guard trace == nil, count < Self.limit, case .request = program.instructions[chain.root],
      let member = variables.memberOfRequest(program.steps[chain.steps.lowerBound].start),
      record?.countsLarge(chain.root) ?? true
    else { return nil }
    count += 1
    return member
  }

  /// The name of the member that a step looks for.
  private func text(of step: Int) -> String {
    guard case .member(_, let name) = program.expressions[program.steps[step].expression].kind
    else { return "" }
    return name
  }

  /// What the `steps` of a chain come to where one fails.
  private mutating func observe(
    _ error: EvaluationFailure, of steps: Range<Int>
  ) -> EvaluationFailure {
    for step in steps { observe(error, of: program.steps[step].expression) }
    return error
  }

  private mutating func observe(_ value: RulesValue, of id: ExpressionID) {
    record?.observe(value, of: id)
    trace?.observe(.success(value), of: id)
  }

  private mutating func observe(_ error: EvaluationFailure, of id: ExpressionID) {
    record?.observe(error, of: id)
    trace?.observe(.failure(error), of: id)
  }

  @inline(never)
  private mutating func not(
    _ operand: ExpressionID, _ frame: Frame
  ) throws(EvaluationFailure) -> RulesValue {
    let value = try evaluate(operand, frame)
    guard case .bool(let bool) = value else { throw .unsupported("!\(value.typeName)", "!bool") }
    return .bool(!bool)
  }

  @inline(never)
  private mutating func typeTest(
    _ operand: ExpressionID, _ test: TypeTest, _ frame: Frame
  ) throws(EvaluationFailure) -> RulesValue {
    .bool(try evaluate(operand, frame).type.map(test.accepts) ?? false)
  }

  @inline(never)
  private mutating func conditional(
    _ condition: ExpressionID, _ first: ExpressionID, _ second: ExpressionID, _ frame: Frame
  ) throws(EvaluationFailure) -> RulesValue {
    let holds = try self.condition(condition, frame)
    record?.skip(holds ? second : first, in: program)
    return try evaluate(holds ? first : second, frame)
  }

  private mutating func parameter(
    _ index: Int, _ frame: Frame
  ) throws(EvaluationFailure) -> RulesValue {
    guard index < frame.parameters.count else { throw .null }
    switch frame.parameters[index] {
    case .settled(let result): return try known(result.get())
    case .pending(let expression, let caller):
      let result = settled(expression, caller)
      frame.parameters[index] = .settled(result)
      return try known(result.get())
    }
  }

  private mutating func binding(
    _ index: Int, _ frame: Frame
  ) throws(EvaluationFailure) -> RulesValue {
    guard let function = frame.function, index < frame.bindings.count else { throw .null }
    if let result = frame.bindings[index] { return try known(result.get()) }
    let result = settled(program.functions[function].bindings[index].value, frame)
    frame.bindings[index] = result
    return try known(result.get())
  }

  private mutating func settled(
    _ expression: ExpressionID, _ frame: Frame
  ) -> Result<RulesValue, EvaluationFailure> {
    do throws(EvaluationFailure) { return .success(try evaluate(expression, frame)) } catch {
      return .failure(error)
    }
  }

  /// `&&` and `||`: the side that decides does, whichever it is, even if the other has failed. In `a && b && c` the left side is one
  /// itself; these are followed at once, the innermost first, the outermost of which will be observed by who has called.
  @inline(never)
  private mutating func connect(
    _ operands: Range<Int>, decisive: Bool, _ id: ExpressionID, _ frame: Frame
  ) throws(EvaluationFailure) -> RulesValue {
    let inner = operands.count - 1
    var first = operands.lowerBound
    // Each counts once more than other expressions, and the outer ones are counted first.
    if count + 2 * inner < Self.limit {
      count += 2 * inner + 1
    } else {
      first = operands.upperBound - 1
      count += 1
    }
    var outcome = side(program.operands[first].left, decisive, frame)
    for index in first..<operands.upperBound {
      let (node, right) = (program.operands[index].expression, program.operands[index].right)
      if case .decides = outcome {
        record?.skip(right, in: program)
      } else {
        switch (side(right, decisive, frame), outcome) {
        case (.decides, _): outcome = .decides
        case (.fails(let error), .leavesOpen): outcome = .fails(error)
        case (.fails, _), (.leavesOpen, _): break
        }
      }
      guard node != id else { break }
      switch outcome {
      case .decides: observe(.bool(decisive), of: node)
      case .leavesOpen: observe(.bool(!decisive), of: node)
      case .fails(let error): observe(error, of: node)
      }
    }
    switch outcome {
    case .decides: return .bool(decisive)
    case .leavesOpen: return .bool(!decisive)
    case .fails(let error): throw error
    }
  }

  /// What one side does to `&&` or `||`.
  private enum Side {
    case decides
    case leavesOpen
    case fails(EvaluationFailure)
  }

  private mutating func side(_ id: ExpressionID, _ decisive: Bool, _ frame: Frame) -> Side {
    do throws(EvaluationFailure) {
      return try condition(id, frame) == decisive ? .decides : .leavesOpen
    } catch {
      return .fails(error)
    }
  }

  @inline(__always)
  private func member(
    _ step: Int, of base: RulesValue
  ) throws(EvaluationFailure) -> RulesValue {
    switch base {
    case .map(let map):
      guard let place = map.place(of: program.steps[step].start, text(of: step)) else {
        throw .property(text(of: step))
      }
      return try known(map.entries[place].value)
    case .path(let path):
      let name = text(of: step)
      guard let capture = path.capture(named: name) else { throw .property(name) }
      guard let value = capture else {
        throw EvaluationFailure("Variable \(name) is not bound in path template.")
      }
      return value
    case .null: throw .null
    case .bool, .int, .float, .string, .bytes, .list, .set, .mapDiff, .timestamp, .duration,
      .latlng, .vector, .constraint, .unknown:
      throw .type(base.typeName, "map,path")
    }
  }
}
