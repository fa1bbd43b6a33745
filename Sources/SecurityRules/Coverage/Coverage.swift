internal import Synchronization

/// What the expressions of a ruleset came to, and how often. Bounded: of an expression so many values, of all so many bytes.
package final class Coverage: EvaluationObserver, Sendable {
  private static let valuesPerExpression = 20
  private static let bytes = 16 << 20
  /// A longer value is kept as a note of its length.
  private static let bytesPerValue = 16 << 10

  /// What an expression came to.
  enum Outcome: Sendable {
    case value(RulesValue)
    case failed(EvaluationFailure)
    /// Something else decided before.
    case skipped

    fileprivate func isSame(as other: Outcome) -> Bool {
      switch (self, other) {
      case (.value(let left), .value(let right)): left.isIdentical(to: right)
      case (.failed(let left), .failed(let right)):
        left.cause == right.cause && left.range == right.range
      case (.skipped, .skipped): true
      case (.value, _), (.failed, _), (.skipped, _): false
      }
    }
  }

  struct Entry: Sendable {
    var outcome: Outcome
    var count: Int
  }

  private struct State {
    var entries: [[Entry]]
    var bytes = 0
  }

  let program: Program
  private let state: Mutex<State>

  init(_ program: Program) {
    self.program = program
    state = Mutex(State(entries: Array(repeating: [], count: program.expressions.count)))
  }

  /// What `expression` came to, in the order of first appearance.
  func entries(of expression: ExpressionID) -> [Entry] {
    state.withLock { $0.entries[expression] }
  }

  func observe(_ result: Result<RulesValue, EvaluationFailure>, of expression: ExpressionID) {
    switch result {
    case .success(let value): note(.value(value), expression)
    case .failure(let failure): note(.failed(failure), expression)
    }
  }

  func skip(_ expression: ExpressionID) {
    note(.skipped, expression)
    for child in program.expressions[expression].children { skip(child) }
  }

  private func note(_ outcome: Outcome, _ expression: ExpressionID) {
    if case .literal = program.expressions[expression].kind { return }
    state.withLock { state in
      if let index = state.entries[expression].firstIndex(where: { $0.outcome.isSame(as: outcome) })
      {
        state.entries[expression][index].count += 1
        return
      }
      guard state.entries[expression].count < Self.valuesPerExpression else { return }
      var kept = outcome
      if case .value(let value) = outcome {
        let size = value.size(upTo: Self.bytesPerValue + 1)
        if size > Self.bytesPerValue { kept = .value(.string("(a long \(value.typeName))")) }
        guard state.bytes + min(size, Self.bytesPerValue) <= Self.bytes else { return }
        state.bytes += min(size, Self.bytesPerValue)
      }
      state.entries[expression].append(Entry(outcome: kept, count: 1))
    }
  }
}
