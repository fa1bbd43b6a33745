internal import Coding
internal import Synchronization
internal import Threading

/// What the expressions of a ruleset came to, and how often.
///
/// Evaluations that go on at once write to records of their own, so that none waits for another, and the record of a thread stays
/// with it.
package final class Coverage: Sendable {
  /// So many requests are judged in phases.
  static let phasedRequests = 100

  let program: Program
  /// The records that no evaluation holds; as many as evaluations of a thread ever went on at once.
  private let idle = PerThread<[CoverageRecord]>([])
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
    idle.withValue { $0.popLast() } ?? CoverageRecord(program)
  }

  func giveBack(_ record: CoverageRecord) {
    idle.withValue { $0.append(record) }
  }

  /// What `expression` came to, in the order of first appearance; last, in one, what is more than is kept.
  func entries(of expression: ExpressionID) -> [CoverageRecord.Entry] {
    var entries: [CoverageRecord.Entry] = []
    let others = idle.values.joined().reduce(0) { $0 + $1.add(entries: expression, to: &entries) }
    guard others > 0 else { return entries }
    let note = RulesValue.string("(values that are not told apart)")
    return entries + [CoverageRecord.Entry(outcome: .value(note), count: others)]
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
  }

  struct Entry: Sendable {
    var outcome: Outcome
    var count: Int
  }

  /// What an expression came to the last time, as far as a few bytes can tell it, and how often again since then. Most evaluations
  /// look at nothing else.
  fileprivate struct Latest {
    enum Kind {
      /// It takes a look at the entries.
      case other
      case null, bool, int, skipped, text
      /// A map, a list or the like, which is only counted.
      case large
      /// Whatever it is, it is only counted.
      case any
    }

    var kind: Kind
    var repetitions: UInt32 = 0
    /// Which boolean or integer it was.
    var number: Int64 = 0

    init(_ kind: Kind, _ number: Int64 = 0) {
      self.kind = kind
      self.number = number
    }

    init(of outcome: Outcome) {
      switch outcome {
      case .value(.null): self.init(.null)
      case .value(.bool(let bool)): self.init(.bool, bool ? 1 : 0)
      case .value(.int(let number)): self.init(.int, number)
      case .value(.string): self.init(.text)
      case .skipped: self.init(.skipped)
      case .value, .failed: self.init(.other)
      }
    }

    /// Counts an outcome if it is the same as the last one.
    mutating func counts(_ kind: Kind, _ number: Int64 = 0) -> Bool {
      guard self.kind == kind && self.number == number || self.kind == .any,
        repetitions < .max
      else { return false }
      repetitions += 1
      return true
    }
  }

  fileprivate struct Node {
    var entries: [Entry] = []
    /// Of the entries, the one that was met last, and its text.
    var latest = 0
    var text = ""
    var largeOutcomes = 0
    /// How often an outcome was none of the entries.
    var misses = 0
    /// How often it came to something that has no entry.
    var others = 0

    var isFull: Bool { entries.count >= valuesPerExpression }
    var isSpent: Bool { isFull && misses >= missesPerExpression }

    /// Adds the repetitions of the last outcome.
    mutating func add(_ latest: Latest) {
      guard latest.repetitions > 0 else { return }
      switch latest.kind {
      case .null, .bool, .int, .skipped, .text:
        entries[self.latest].count += Int(latest.repetitions)
      case .other, .large, .any: others += Int(latest.repetitions)
      }
    }
  }

  private var latest: [Latest]
  private var nodes: [Node]
  private var bytes = 0

  fileprivate init(_ program: Program) {
    // Literals are always the same and are not shown.
    latest = program.expressions.map { expression in
      if case .literal = expression.kind { Latest(.any) } else { Latest(.other) }
    }
    nodes = Array(repeating: Node(), count: latest.count)
  }

  mutating func observe(_ value: borrowing RulesValue, of expression: ExpressionID) {
    let isCounted: Bool
    switch value {
    case .bool(let bool): isCounted = latest[expression].counts(.bool, bool ? 1 : 0)
    case .list, .map, .set, .mapDiff, .path, .vector, .constraint:
      isCounted = latest[expression].counts(.large)
    case .string(let text):
      isCounted =
        latest[expression].kind == .text && nodes[expression].text.hasBytes(of: text)
        && latest[expression].counts(.text)
    case .null: isCounted = latest[expression].counts(.null)
    case .int(let number): isCounted = latest[expression].counts(.int, number)
    case .float, .bytes, .timestamp, .duration, .latlng, .unknown:
      isCounted = latest[expression].counts(.any)
    }
    if !isCounted { note(.value(copy value), expression) }
  }

  /// Counts a map or the like without having it, if it is only counted.
  mutating func countsLarge(_ expression: ExpressionID) -> Bool {
    latest[expression].counts(.large)
  }

  mutating func observe(_ failure: EvaluationFailure, of expression: ExpressionID) {
    note(.failed(failure), expression)
  }

  /// An expression that is not evaluated because something else has decided, and all of its parts.
  mutating func skip(_ expression: ExpressionID, in program: Program) {
    if !latest[expression].counts(.skipped) { note(.skipped, expression) }
    for child in program.children[expression] { skip(child, in: program) }
  }

  private mutating func note(_ outcome: Outcome, _ expression: ExpressionID) {
    nodes[expression].add(latest[expression])
    guard let index = entry(for: outcome, of: expression) else {
      nodes[expression].others += 1
      latest[expression] = Latest(
        nodes[expression].isSpent ? .any : isOnlyCounted(outcome, expression) ? .large : .other)
      return
    }
    nodes[expression].entries[index].count += 1
    nodes[expression].latest = index
    latest[expression] = Latest(of: nodes[expression].entries[index].outcome)
    if case .value(.string(let text)) = nodes[expression].entries[index].outcome {
      nodes[expression].text = text
    }
  }

  private func isOnlyCounted(_ outcome: Outcome, _ expression: ExpressionID) -> Bool {
    guard case .value(let value) = outcome, value.takesLongToCompare else { return false }
    return nodes[expression].largeOutcomes >= Self.largeOutcomesPerExpression
  }

  /// The entry that counts an outcome; `nil` if none does.
  private mutating func entry(for outcome: Outcome, of expression: ExpressionID) -> Int? {
    guard !nodes[expression].isSpent, !isOnlyCounted(outcome, expression) else { return nil }
    var kept = outcome
    var size = 0
    if case .value(let value) = outcome {
      if value.takesLongToCompare { nodes[expression].largeOutcomes += 1 }
      size = value.size(upTo: Self.bytesPerValue + 1)
      if size > Self.bytesPerValue { kept = .value(.string("(a long \(value.typeName))")) }
    }
    if let index = nodes[expression].entries.firstIndex(where: { $0.outcome.isSame(as: outcome) }) {
      return index
    }
    nodes[expression].misses += 1
    size = min(size, Self.bytesPerValue)
    guard !nodes[expression].isFull, bytes + size <= Self.bytes else { return nil }
    bytes += size
    nodes[expression].entries.append(Entry(outcome: kept, count: 0))
    return nodes[expression].entries.count - 1
  }

  /// Adds what is known of `expression` to what others know.
  ///
  /// - Returns: how often it came to something else.
  fileprivate func add(entries expression: ExpressionID, to others: inout [Entry]) -> Int {
    var node = nodes[expression]
    node.add(latest[expression])
    var rest = node.others
    for entry in node.entries {
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

extension RulesValue {
  /// Whether to compare it takes longer than to evaluate.
  fileprivate var takesLongToCompare: Bool {
    switch self {
    case .list, .map, .set, .mapDiff, .path, .vector, .constraint: true
    case .null, .bool, .int, .float, .string, .bytes, .timestamp, .duration, .latlng, .unknown:
      false
    }
  }
}
