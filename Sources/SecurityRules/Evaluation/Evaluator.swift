/// Evaluates expressions of a ruleset for one request: one phase of one method on one document.
///
/// Every evaluated expression counts, so that no input makes it go on or go deeper than `limit`.
final class Evaluator {
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
  /// Told of every value; `nil` if nobody wants to know.
  let observer: (any EvaluationObserver)?
  private var count = 0

  init(
    _ program: Program, _ variables: Variables, observer: (any EvaluationObserver)? = nil,
    lookup: @escaping Lookup
  ) {
    self.program = program
    self.variables = variables
    self.observer = observer
    self.lookup = lookup
  }

  /// The value of a condition.
  func condition(_ id: ExpressionID, _ frame: Frame) throws(EvaluationFailure) -> Bool {
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
    guard failure.cause != nil, failure.range == nil else { return failure }
    var failure = failure
    failure.range = program.expressions[id].range
    return failure
  }

  func evaluate(_ id: ExpressionID, _ frame: Frame) throws(EvaluationFailure) -> RulesValue {
    count += 1
    guard count <= Self.limit else { throw failure(.tooMany, id) }
    guard let observer else {
      do throws(EvaluationFailure) { return try value(id, frame) } catch {
        throw failure(error, id)
      }
    }
    do throws(EvaluationFailure) {
      let value = try value(id, frame)
      observer.observe(value, of: id)
      return value
    } catch {
      let error = failure(error, id)
      observer.observe(error, of: id)
      throw error
    }
  }

  private func value(_ id: ExpressionID, _ frame: Frame) throws(EvaluationFailure) -> RulesValue {
    switch program.expressions[id].kind {
    case .literal(let value): return value
    case .variable: return try variable(id, frame)
    case .member(let base, let name):
      let value = try evaluate(base, frame)
      do throws(EvaluationFailure) { return try member(name, of: value) } catch {
        throw failure(error, base)
      }
    case .call(let name, let arguments): return try call(name, arguments, id, frame)
    case .method(let receiver, let name, let arguments):
      return try method(receiver, name, arguments, id, frame)
    case .and(let left, let right): return try connect(left, right, decisive: false, frame)
    case .or(let left, let right): return try connect(left, right, decisive: true, frame)
    case .binary(let sign, let left, let right):
      return try binary(sign, left, right, frame)
    case .not(let operand):
      let value = try evaluate(operand, frame)
      guard case .bool(let bool) = value else {
        throw .unsupported("!\(value.typeName)", "!bool")
      }
      return .bool(!bool)
    case .negate(let operand): return try Arithmetic.negated(evaluate(operand, frame))
    case .typeTest(let operand, let test):
      return .bool(try evaluate(operand, frame).type.map(test.accepts) ?? false)
    case .conditional(let condition, let first, let second):
      let holds = try self.condition(condition, frame)
      observer?.skip(holds ? second : first)
      return try evaluate(holds ? first : second, frame)
    case .list, .map, .path: return try collection(id, frame).bounded()
    case .element, .slice: return try part(id, frame)
    }
  }

  private func variable(_ id: ExpressionID, _ frame: Frame) throws(EvaluationFailure) -> RulesValue
  {
    let value: RulesValue
    switch program.resolutions[id] {
    case .request: value = .map(variables.request)
    case .resource: value = variables.resource
    case .capture(let index):
      guard index < frame.captures.count, let capture = frame.captures[index] else { throw .null }
      value = capture
    case .parameter(let index): value = try parameter(index, frame)
    case .binding(let index): value = try binding(index, frame)
    case .none, .undefined, .function, .builtin, .methods: throw .null
    }
    if case .unknown = value { throw .unknown }
    return value
  }

  private func parameter(_ index: Int, _ frame: Frame) throws(EvaluationFailure) -> RulesValue {
    guard index < frame.parameters.count else { throw .null }
    switch frame.parameters[index] {
    case .settled(let result): return try result.get()
    case .pending(let expression, let caller):
      let result = settled(expression, caller)
      frame.parameters[index] = .settled(result)
      return try result.get()
    }
  }

  private func binding(_ index: Int, _ frame: Frame) throws(EvaluationFailure) -> RulesValue {
    guard let function = frame.function, index < frame.bindings.count else { throw .null }
    if let result = frame.bindings[index] { return try result.get() }
    let result = settled(function.bindings[index].value, frame)
    frame.bindings[index] = result
    return try result.get()
  }

  private func settled(
    _ expression: ExpressionID, _ frame: Frame
  ) -> Result<RulesValue, EvaluationFailure> {
    do throws(EvaluationFailure) { return .success(try evaluate(expression, frame)) } catch {
      return .failure(error)
    }
  }

  /// `&&` and `||`: the side that decides does, whichever it is, even if the other has failed.
  private func connect(
    _ left: ExpressionID, _ right: ExpressionID, decisive: Bool, _ frame: Frame
  ) throws(EvaluationFailure) -> RulesValue {
    count += 1
    let first: Result<Bool, EvaluationFailure>
    do throws(EvaluationFailure) { first = .success(try condition(left, frame)) } catch {
      first = .failure(error)
    }
    if case .success(decisive) = first {
      observer?.skip(right)
      return .bool(decisive)
    }
    do throws(EvaluationFailure) {
      if try condition(right, frame) == decisive { return .bool(decisive) }
    } catch {
      _ = try first.get()
      throw error
    }
    return .bool(try first.get())
  }

  private func member(_ name: String, of base: RulesValue) throws(EvaluationFailure) -> RulesValue {
    switch base {
    case .map(let map):
      guard let value = map[name] else { throw .property(name) }
      if case .unknown = value { throw .unknown }
      return value
    case .path(let path):
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

/// Follows an evaluation.
protocol EvaluationObserver: AnyObject {
  func observe(_ value: borrowing RulesValue, of expression: ExpressionID)

  func observe(_ failure: EvaluationFailure, of expression: ExpressionID)

  /// An expression that is not evaluated because something else has decided.
  func skip(_ expression: ExpressionID)
}
