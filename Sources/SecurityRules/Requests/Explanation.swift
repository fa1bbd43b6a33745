internal import Synchronization

/// What the expressions of one request came to.
final class Trace: Sendable {
  private struct State {
    var results: [ExpressionID: Result<RulesValue, EvaluationFailure>] = [:]
    var steps = 0
  }

  private let state = Mutex(State())

  func observe(_ result: Result<RulesValue, EvaluationFailure>, of expression: ExpressionID) {
    state.withLock { state in
      state.results[expression] = result
      state.steps += 1
    }
  }

  /// How many evaluations there were.
  var steps: Int { state.withLock { $0.steps } }

  /// What `expression` came to the last time.
  func result(of expression: ExpressionID) -> Result<RulesValue, EvaluationFailure>? {
    state.withLock { $0.results[expression] }
  }
}

extension ServiceRules {
  /// Judges the same request again, and says of each statement that did not allow it what its parts came to.
  ///
  /// - Returns: lines for people; empty if it is allowed this time.
  package func explain(
    _ ruleset: Ruleset, _ judge: (ServiceRules) throws(Denial) -> Void
  ) -> [String] {
    let trace = Trace()
    var rules = self
    rules.isCounted = false
    rules.trace = trace
    do throws(Denial) {
      try judge(rules)
      return []
    } catch {
      return Explanation(
        program: program, source: Array(ruleset.content.unicodeScalars), trace: trace
      )
      .lines(of: error, file: ruleset.name)
    }
  }
}

/// The words for a denial.
private struct Explanation {
  /// More parts of a condition are not told.
  private static let maximumParts = 20

  let program: Program
  let source: [Unicode.Scalar]
  let trace: Trace

  func lines(of denial: Denial, file: String) -> [String] {
    guard !denial.entries.isEmpty else { return [denial.message] }
    var lines: [String] = []
    var told: Set<Int> = []
    for entry in denial.entries.reversed() where told.insert(entry.range.offset).inserted {
      let place = "\(file.isEmpty ? "rules" : file):\(entry.range.line):\(entry.range.column)"
      lines.append("\(place) does not allow \(entry.method.rawValue)")
      guard let condition = entry.condition else { continue }
      lines += parts(of: condition).prefix(Self.maximumParts)
      if entry.method == .list {
        lines += proofs(of: condition).map { "  a query that has \($0) would prove it" }
      }
    }
    return lines
  }

  private func text(_ expression: ExpressionID) -> String {
    let range = program.expressions[expression].range
    guard range.offset <= range.endOffset, range.endOffset < source.count else { return "" }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: source[range.offset...range.endOffset])
    return String(text)
  }

  /// `expression` and its parts with their values, those that were not reached left out.
  private func parts(of expression: ExpressionID) -> [String] {
    if case .literal = program.expressions[expression].kind { return [] }
    guard let result = trace.result(of: expression) else { return [] }
    let value =
      switch result {
      case .success(let value): "is \(value.text)"
      case .failure(let failure): "fails: \(failure.cause ?? "not proved by the query")"
      }
    let inner = program.expressions[expression].children.flatMap(parts)
    var called: [String] = []
    if case .function(let function) = program.resolutions[expression] {
      called = parts(of: program.functions[function].result)
    }
    return ["  \(text(expression)) \(value)"] + inner + called
  }

  // MARK: Filters

  /// The field of `resource.data` that an expression is; `nil` for any other.
  private func field(_ expression: ExpressionID) -> String? {
    var names: [String] = []
    var current = expression
    while case .member(let outer, let name) = program.expressions[current].kind {
      names.insert(name, at: 0)
      current = outer
    }
    guard case .resource = program.resolutions[current], names.first == "data", names.count > 1
    else { return nil }
    return names.dropFirst().joined(separator: ".")
  }

  /// The value of an expression, or how it is written if it was not reached.
  private func value(_ expression: ExpressionID) -> String {
    guard case .success(let value)? = trace.result(of: expression) else { return text(expression) }
    return value.text
  }

  /// The filters that would settle what is open in a condition.
  private func proofs(of expression: ExpressionID) -> [String] {
    switch program.expressions[expression].kind {
    case .and(let left, let right), .or(let left, let right):
      return proofs(of: left) + proofs(of: right)
    case .not(let operand):
      return field(operand).map { ["where(\"\($0)\", \"==\", false)"] } ?? []
    case .binary(let sign, let left, let right):
      return proof(sign, left, right).map { [$0] } ?? []
    case .member:
      return field(expression).map { ["where(\"\($0)\", \"==\", true)"] } ?? []
    case .call:
      guard case .function(let function) = program.resolutions[expression] else { return [] }
      return proofs(of: program.functions[function].result)
    case .literal, .list, .map, .path, .variable, .method, .element, .slice, .negate, .typeTest,
      .conditional:
      return []
    }
  }

  private func proof(
    _ sign: BinaryOperator, _ left: ExpressionID, _ right: ExpressionID
  ) -> String? {
    if let field = field(left) {
      return "where(\"\(field)\", \"\(sign.rawValue)\", \(value(right)))"
    }
    guard let field = field(right) else { return nil }
    let mirrored = [
      "<": ">", "<=": ">=", ">": "<", ">=": "<=", "in": "array-contains",
    ]
    return "where(\"\(field)\", \"\(mirrored[sign.rawValue] ?? sign.rawValue)\", \(value(left)))"
  }
}
