/// Evaluates expressions of a ruleset for one request: one phase of one method on one document.
///
/// Every evaluated expression counts, so that no input makes it go on or go deeper than `limit`.
struct Evaluator: ~Copyable {
  static let limit = 1000

  /// What the names `request` and `resource` stand for.
  struct Variables {
    var request: RulesMap
    var resource: RulesValue
  }

  /// Reads a document for `get` and its like; a failure is the value of the call.
  typealias Lookup = (Builtin, RulesPath) throws(EvaluationFailure) -> RulesValue

  let program: Program
  let variables: Variables
  let lookup: Lookup
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
      throw failure(.type(value.typeName, "bool"), id)
    }
    return bool
  }

  /// A failure with its place.
  func failure(_ failure: EvaluationFailure, _ id: ExpressionID) -> EvaluationFailure {
    guard case .failed(let cause, at: nil) = failure else { return failure }
    return .failed(cause, at: program.expressions[id].range)
  }

  mutating func evaluate(_ id: ExpressionID, _ frame: Frame) throws(EvaluationFailure) -> RulesValue
  {
    count += 1
    guard count <= Self.limit else { throw failure(.tooMany, id) }
    do throws(EvaluationFailure) {
      let value = try value(id, frame)
      record?.observe(value, of: id)
      trace?.observe(.success(value), of: id)
      return value
    } catch {
      let error = failure(error, id)
      record?.observe(error, of: id)
      trace?.observe(.failure(error), of: id)
      throw error
    }
  }

  /// One function a kind: the frames of this one lie on the stack as often as expressions lie in one another.
  private mutating func value(
    _ id: ExpressionID, _ frame: Frame
  ) throws(EvaluationFailure) -> RulesValue {
    switch program.instructions[id] {
    case .literal(let index): program.literals[index]
    case .constant(let index, let items): try constant(index, items, id, frame)
    case .request: .map(variables.request)
    case .resource: try known(variables.resource)
    case .capture(let index): try capture(index, frame)
    case .parameter(let index): try parameter(index, frame)
    case .binding(let index): try binding(index, frame)
    case .undefined: throw .null
    case .member(let base, let name): try member(base, name, frame)
    case .function(let function): try call(function, program.arguments[id], frame)
    case .builtin: try builtin(id, frame)
    case .method(let receiver): try method(receiver, id, frame)
    case .missing(let name): throw .noFunction(program.names[name].text)
    case .and(let left, let right): try connect(left, right, decisive: false, frame)
    case .or(let left, let right): try connect(left, right, decisive: true, frame)
    case .binary(let sign, let left, let right): try binary(sign, left, right, frame)
    case .not(let operand): try not(operand, frame)
    case .negate(let operand): try Arithmetic.negated(evaluate(operand, frame))
    case .typeTest(let operand, let test): try typeTest(operand, test, frame)
    case .conditional(let condition, let first, let second):
      try conditional(condition, first, second, frame)
    case .collection: try collection(id, frame).bounded()
    case .part: try part(id, frame)
    }
  }

  @inline(never)
  private mutating func constant(
    _ index: Int, _ items: Int, _ id: ExpressionID, _ frame: Frame
  ) throws(EvaluationFailure) -> RulesValue {
    guard count + items <= Self.limit else { return try collection(id, frame) }
    count += items
    return program.literals[index]
  }

  /// The value of a variable.
  private func known(_ value: RulesValue) throws(EvaluationFailure) -> RulesValue {
    if case .unknown = value { throw .unknown }
    return value
  }

  private func capture(_ index: Int, _ frame: Frame) throws(EvaluationFailure) -> RulesValue {
    guard index < frame.captures.count, let capture = frame.captures[index] else { throw .null }
    return try known(capture)
  }

  private mutating func member(
    _ base: ExpressionID, _ name: Int, _ frame: Frame
  ) throws(EvaluationFailure) -> RulesValue {
    let value = try evaluate(base, frame)
    do throws(EvaluationFailure) { return try member(program.names[name], of: value) } catch {
      throw failure(error, base)
    }
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

  /// `&&` and `||`: the side that decides does, whichever it is, even if the other has failed.
  @inline(never)
  private mutating func connect(
    _ left: ExpressionID, _ right: ExpressionID, decisive: Bool, _ frame: Frame
  ) throws(EvaluationFailure) -> RulesValue {
    count += 1
    var failed: EvaluationFailure?
    do throws(EvaluationFailure) {
      if try condition(left, frame) == decisive {
        record?.skip(right, in: program)
        return .bool(decisive)
      }
    } catch { failed = error }
    do throws(EvaluationFailure) {
      if try condition(right, frame) == decisive { return .bool(decisive) }
    } catch { throw failed ?? error }
    if let failed { throw failed }
    return .bool(!decisive)
  }

  private func member(
    _ key: RulesKey, of base: RulesValue
  ) throws(EvaluationFailure) -> RulesValue {
    switch base {
    case .map(let map):
      guard let value = map[key] else { throw .property(key.text) }
      if case .unknown = value { throw .unknown }
      return value
    case .path(let path):
      let name = key.text
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
