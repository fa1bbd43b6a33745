internal import Coding
internal import Synchronization

/// What the expressions of a ruleset came to, and how often.
///
/// Evaluations that go on at once write to records of their own, so that none waits for another.
package final class Coverage: Sendable {
  /// So many requests are judged in phases.
  static let phasedRequests = 100

  let program: Program
  /// The records that no evaluation holds; as many as evaluations ever went on at once.
  private let idle = Mutex<[CoverageRecord]>([])
  /// How many requests were judged, up to those.
  let requests = Atomic<Int>(0)

  init(_ program: Program) {
    self.program = program
  }

  /// Counts a request; whether so many were judged in phases that coverage shows what depends on documents.
  func hasSeenPhases() -> Bool {
    guard requests.load(ordering: .relaxed) < Self.phasedRequests else { return true }
    return requests.add(1, ordering: .relaxed).oldValue >= Self.phasedRequests
  }

  /// The record for an evaluation, to be given back at its end.
  func take() -> CoverageRecord {
    idle.withLock { $0.popLast() } ?? CoverageRecord(program)
  }

  func giveBack(_ record: CoverageRecord) {
    idle.withLock { $0.append(record) }
  }

  /// What `expression` came to, in the order of first appearance; last, in one, what is more than is kept.
  func entries(of expression: ExpressionID) -> [CoverageRecord.Entry] {
    idle.withLock { records in
      var entries: [CoverageRecord.Entry] = []
      let others = records.reduce(0) { $0 + $1.add(entries: expression, to: &entries) }
      guard others > 0 else { return entries }
      let note = RulesValue.string("(values that are not told apart)")
      return entries + [CoverageRecord.Entry(outcome: .value(note), count: others)]
    }
  }
}

/// What expressions came to in some evaluations. Bounded: of an expression so many values, of all so many bytes.
struct CoverageRecord: Sendable {
  fileprivate static let valuesPerExpression = 20
  /// Maps, lists and the like are told apart this often, and later ones are only counted: to compare them takes longer than to
  /// evaluate the rules, and most differ from request to request.
  fileprivate static let largeOutcomesPerExpression = 100
  /// An expression that is something else each time, as the time of the request is, is then only counted.
  fileprivate static let missesPerExpression = 100
  private static let bytes = 4 << 20
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

    fileprivate var shape: Shape {
      switch self {
      case .value(let value): Shape(value)
      case .failed: .other
      case .skipped: .small(.skipped)
      }
    }
  }

  struct Entry: Sendable {
    var outcome: Outcome
    var count: Int
  }

  /// An outcome that is compared at once.
  fileprivate enum Small: Equatable {
    case null
    case bool(Bool)
    case int(Int64)
    case skipped
  }

  /// How an outcome is told from others.
  fileprivate enum Shape {
    case small(Small)
    case text
    /// It takes longer to compare than to evaluate.
    case large
    case other

    init(_ value: borrowing RulesValue) {
      switch value {
      case .null: self = .small(.null)
      case .bool(let bool): self = .small(.bool(bool))
      case .int(let number): self = .small(.int(number))
      case .string: self = .text
      case .list, .map, .set, .mapDiff, .path, .vector, .constraint: self = .large
      case .float, .bytes, .timestamp, .duration, .latlng, .unknown: self = .other
      }
    }
  }

  fileprivate struct Node {
    var entries: [Entry] = []
    /// Of the entries, the one that was met last, and how often again since then.
    var latest = 0
    var repetitions = 0
    /// What its outcome is, if that is a small one or a text.
    var latestSmall: Small?
    var latestText: String?
    var largeOutcomes = 0
    /// How often an outcome was none of the entries.
    var misses = 0
    /// How often it came to something that has no entry.
    var others = 0
    /// Literals are always the same and are not shown.
    let isLiteral: Bool
  }

  private var nodes: [Node]
  private var bytes = 0

  fileprivate init(_ program: Program) {
    nodes = program.expressions.map { expression in
      if case .literal = expression.kind { Node(isLiteral: true) } else { Node(isLiteral: false) }
    }
  }

  mutating func observe(_ value: borrowing RulesValue, of expression: ExpressionID) {
    switch value {
    case .bool(let bool):
      if nodes[expression].countsAgain(Small.bool(bool)) { return }
    case .list, .map, .set, .mapDiff, .path, .vector, .constraint:
      if nodes[expression].countsLarge() { return }
    case .string(let text):
      if nodes[expression].countsAgain(text) { return }
    case .null, .int, .float, .bytes, .timestamp, .duration, .latlng, .unknown:
      if nodes[expression].countsAgain(value) { return }
    }
    note(.value(copy value), expression)
  }

  mutating func observe(_ failure: EvaluationFailure, of expression: ExpressionID) {
    note(.failed(failure), expression)
  }

  /// An expression that is not evaluated because something else has decided, and all of its parts.
  mutating func skip(_ expression: ExpressionID, in program: Program) {
    if !nodes[expression].countsAgain(.skipped) { note(.skipped, expression) }
    for child in program.children[expression] { skip(child, in: program) }
  }

  private mutating func note(_ outcome: Outcome, _ expression: ExpressionID) {
    guard !nodes[expression].count(outcome) else { return }
    var kept = outcome
    if case .value(let value) = outcome {
      let size = value.size(upTo: Self.bytesPerValue + 1)
      if size > Self.bytesPerValue { kept = .value(.string("(a long \(value.typeName))")) }
      guard bytes + min(size, Self.bytesPerValue) <= Self.bytes else {
        nodes[expression].others += 1
        return
      }
      bytes += min(size, Self.bytesPerValue)
    }
    nodes[expression].entries.append(Entry(outcome: kept, count: 0))
    nodes[expression].meet(nodes[expression].entries.count - 1)
  }

  /// Adds what is known of `expression` to what others know.
  ///
  /// - Returns: how often it came to something else.
  fileprivate func add(entries expression: ExpressionID, to others: inout [Entry]) -> Int {
    var rest = nodes[expression].others
    for entry in nodes[expression].counted {
      if let index = others.firstIndex(where: { $0.outcome.isSame(as: entry.outcome) }) {
        others[index].count += entry.count
      } else if others.count < Self.valuesPerExpression {
        others.append(entry)
      } else {
        rest += entry.count
      }
    }
    return rest
  }
}

extension CoverageRecord.Node {
  /// Counts a value at once that needs no look around: one that is the same as the last, or too large to look at.
  fileprivate mutating func countsAgain(_ value: borrowing RulesValue) -> Bool {
    switch CoverageRecord.Shape(value) {
    case .small(let small): countsAgain(small)
    case .text, .large, .other: false
    }
  }

  fileprivate mutating func countsAgain(_ small: CoverageRecord.Small) -> Bool {
    guard small == latestSmall else { return false }
    repetitions += 1
    return true
  }

  fileprivate mutating func countsAgain(_ text: String) -> Bool {
    guard let latestText, latestText.hasBytes(of: text) else { return false }
    repetitions += 1
    return true
  }

  fileprivate mutating func countsLarge() -> Bool {
    guard largeOutcomes >= CoverageRecord.largeOutcomesPerExpression else { return false }
    others += 1
    return true
  }

  /// Counts an entry and notes that it was met last.
  fileprivate mutating func meet(_ index: Int) {
    if repetitions > 0 { entries[latest].count += repetitions }
    entries[index].count += 1
    (latest, repetitions) = (index, 0)
    latestSmall = if case .small(let small) = entries[index].outcome.shape { small } else { nil }
    latestText = if case .value(.string(let text)) = entries[index].outcome { text } else { nil }
  }

  /// The entries with all that was counted.
  fileprivate var counted: [CoverageRecord.Entry] {
    guard repetitions > 0 else { return entries }
    var entries = entries
    entries[latest].count += repetitions
    return entries
  }

  /// Counts an outcome that needs no entry of its own; `false` for one that does.
  fileprivate mutating func count(_ outcome: CoverageRecord.Outcome) -> Bool {
    if isLiteral { return true }
    if case .large = outcome.shape {
      guard largeOutcomes < CoverageRecord.largeOutcomesPerExpression else {
        others += 1
        return true
      }
      largeOutcomes += 1
    }
    let isFull = entries.count >= CoverageRecord.valuesPerExpression
    if isFull, misses >= CoverageRecord.missesPerExpression {
      others += 1
      return true
    }
    guard let index = entries.firstIndex(where: { $0.outcome.isSame(as: outcome) }) else {
      misses += 1
      others += isFull ? 1 : 0
      return isFull
    }
    meet(index)
    return true
  }
}
