internal import Synchronization

/// What the expressions of a ruleset came to, and how often. Bounded: of an expression so many values, of all so many bytes.
package final class Coverage: EvaluationObserver, Sendable {
  fileprivate static let valuesPerExpression = 20
  /// Maps, lists and the like are told apart this often, and later ones are not looked at: to compare them takes longer than to
  /// evaluate the rules, and most differ from request to request.
  fileprivate static let largeOutcomesPerExpression = 100
  fileprivate static let bytes = 16 << 20
  /// A longer value is kept as a note of its length.
  fileprivate static let bytesPerValue = 16 << 10

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

  fileprivate struct Node {
    var entries: [Entry] = []
    /// Of the entries, the one that was met last.
    var latest = 0
    var largeOutcomes = 0
    /// Literals are always the same and are not shown.
    let isLiteral: Bool
  }

  fileprivate struct State {
    var nodes: [Node]
    var bytes = 0
  }

  /// So many requests are judged in phases.
  static let phasedRequests = 100

  let program: Program
  private let state: Mutex<State>
  /// How many requests were judged, up to those.
  let requests = Atomic<Int>(0)

  init(_ program: Program) {
    self.program = program
    let nodes = program.expressions.map { expression in
      if case .literal = expression.kind { Node(isLiteral: true) } else { Node(isLiteral: false) }
    }
    state = Mutex(State(nodes: nodes))
  }

  /// Counts a request; whether so many were judged in phases that coverage shows what depends on documents.
  func hasSeenPhases() -> Bool {
    guard requests.load(ordering: .relaxed) < Self.phasedRequests else { return true }
    return requests.add(1, ordering: .relaxed).oldValue >= Self.phasedRequests
  }

  /// What `expression` came to, in the order of first appearance.
  func entries(of expression: ExpressionID) -> [Entry] {
    state.withLock { $0.nodes[expression].entries }
  }

  func observe(_ value: borrowing RulesValue, of expression: ExpressionID) {
    state.withLock { state in
      if !state.nodes[expression].countsAgain(value) { state.note(.value(copy value), expression) }
    }
  }

  func observe(_ failure: EvaluationFailure, of expression: ExpressionID) {
    note(.failed(failure), expression)
  }

  func skip(_ expression: ExpressionID) {
    note(.skipped, expression)
    for child in program.expressions[expression].children { skip(child) }
  }

  private func note(_ outcome: Outcome, _ expression: ExpressionID) {
    state.withLock { $0.note(outcome, expression) }
  }
}

extension Coverage.Node {
  /// Counts a value at once that needs no look around: one that is the same as the last, or too large to look at.
  fileprivate mutating func countsAgain(_ value: borrowing RulesValue) -> Bool {
    if isLiteral { return true }
    switch copy value {
    case .bool(let bool):
      guard latest < entries.count, case .value(.bool(bool)) = entries[latest].outcome else {
        return false
      }
    case .string(let text):
      guard latest < entries.count, case .value(.string(let known)) = entries[latest].outcome,
        known.hasBytes(of: text)
      else { return false }
    case .int(let number):
      guard latest < entries.count, case .value(.int(number)) = entries[latest].outcome else {
        return false
      }
    case .map, .list, .set, .mapDiff, .path, .vector, .constraint:
      return largeOutcomes >= Coverage.largeOutcomesPerExpression
    case .null, .float, .bytes, .timestamp, .duration, .latlng, .unknown: return false
    }
    entries[latest].count += 1
    return true
  }

  /// Counts an outcome that needs no entry of its own; `false` for one that does.
  fileprivate mutating func count(_ outcome: Coverage.Outcome) -> Bool {
    if isLiteral { return true }
    if outcome.isLarge {
      guard largeOutcomes < Coverage.largeOutcomesPerExpression else { return true }
      largeOutcomes += 1
    }
    if latest < entries.count, entries[latest].outcome.isSame(as: outcome) {
      entries[latest].count += 1
      return true
    }
    guard let index = entries.firstIndex(where: { $0.outcome.isSame(as: outcome) }) else {
      return entries.count >= Coverage.valuesPerExpression
    }
    latest = index
    entries[index].count += 1
    return true
  }
}

extension Coverage.State {
  fileprivate mutating func note(_ outcome: Coverage.Outcome, _ expression: ExpressionID) {
    if !nodes[expression].count(outcome) { add(outcome, to: expression) }
  }

  fileprivate mutating func add(_ outcome: Coverage.Outcome, to expression: ExpressionID) {
    var kept = outcome
    if case .value(let value) = outcome {
      let size = value.size(upTo: Coverage.bytesPerValue + 1)
      if size > Coverage.bytesPerValue { kept = .value(.string("(a long \(value.typeName))")) }
      guard bytes + min(size, Coverage.bytesPerValue) <= Coverage.bytes else { return }
      bytes += min(size, Coverage.bytesPerValue)
    }
    nodes[expression].entries.append(Coverage.Entry(outcome: kept, count: 1))
  }
}

extension Coverage.Outcome {
  /// Whether it takes longer to compare than to evaluate.
  fileprivate var isLarge: Bool {
    switch self {
    case .value(.map), .value(.list), .value(.set), .value(.mapDiff), .value(.path),
      .value(.vector),
      .value(.constraint):
      true
    case .value, .failed, .skipped: false
    }
  }
}
