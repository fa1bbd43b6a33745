/// The evaluation of the statements that speak of one document or collection.
struct Judgement {
  /// What the statements of one method come to.
  enum Result {
    case granted
    case refused
    /// A statement failed or depends on what is not known.
    case open
  }

  private let rules: ServiceRules
  /// What the statements are asked about; captures in it stand for what could be anything.
  let path: RulesPath
  private let hasGap: Bool

  init(_ rules: ServiceRules, path: RulesPath) {
    self.rules = rules
    self.path = path
    hasGap = PatternMatch.hasGap(path)
  }

  /// What the captures of a statement stand for; `nil` if it does not speak of the path or of `method`.
  private func captures(_ statement: StatementIndex.Statement, _ method: Method) -> Captures? {
    guard statement.methods.contains(method) else { return nil }
    return PatternMatch.captures(
      rules.index.blocks[statement.block], path, hasGap: hasGap,
      version: rules.program.version)
  }

  /// Evaluates the statements of `method` in order, up to the first that is true; their outcomes go to `entries`, if there are any.
  func evaluate(
    _ method: Method, _ variables: Evaluator.Variables, entries: inout [Denial.Entry]?,
    lookup: @escaping Evaluator.Lookup
  ) -> Result {
    var result = Result.refused
    var evaluator = Evaluator(
      rules.program, variables, record: rules.isCounted ? rules.coverage.take() : nil,
      trace: rules.trace, lookup: lookup)
    defer {
      if let record = evaluator.takeRecord() { rules.coverage.giveBack(record) }
    }
    for candidate in rules.index.statements {
      guard let captures = captures(candidate, method) else { continue }
      var outcome = Denial.Entry.Outcome.isFalse
      var holds = true
      if let condition = candidate.statement.condition {
        do throws(EvaluationFailure) {
          holds = try evaluator.condition(condition, Frame(captures: captures))
        } catch {
          holds = false
          outcome = error.cause.map { .failed($0) } ?? .isUnknown
          result = .open
        }
      }
      entries?.append(
        Denial.Entry(
          outcome: outcome, method: method, range: candidate.statement.range,
          condition: candidate.statement.condition))
      if holds { return .granted }
    }
    return result
  }
}
