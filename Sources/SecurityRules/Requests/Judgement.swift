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
  /// By block of the index: its captures; of a block that does not match, `nil`.
  private let captures: [[RulesValue?]?]

  init(_ rules: ServiceRules, path: [PathElement]) {
    self.rules = rules
    captures = rules.index.blocks.map {
      PatternMatch.captures($0, path, version: rules.program.version)
    }
  }

  /// Whether a statement of `method` speaks of `resource`.
  func readsResource(_ method: Method) -> Bool {
    rules.index.statements.contains { statement in
      statement.readsResource && captures[statement.block] != nil
        && statement.methods.contains(method)
    }
  }

  /// Evaluates the statements of `method` in order, up to the first that is true; their outcomes go to `entries`.
  func evaluate(
    _ method: Method, _ variables: Evaluator.Variables, entries: inout [Denial.Entry],
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
      guard let captures = captures[candidate.block],
        candidate.methods.contains(method)
      else { continue }
      var entry = Denial.Entry(
        outcome: .isFalse, method: method, range: candidate.statement.range,
        condition: candidate.statement.condition)
      guard let condition = candidate.statement.condition else {
        entries.append(entry)
        return .granted
      }
      do throws(EvaluationFailure) {
        let holds = try evaluator.condition(condition, Frame(captures: captures))
        if holds {
          entries.append(entry)
          return .granted
        }
      } catch {
        entry.outcome = error.cause.map { .failed($0) } ?? .isUnknown
        result = .open
      }
      entries.append(entry)
    }
    return result
  }
}
