import Coding
import HibachiTesting

@testable import SecurityRules

extension SeededGenerator {
  private mutating func choice<Value>(_ values: [Value]) -> Value {
    values[int(0...(values.count - 1))]
  }

  /// A value that a document may hold, those at the ends of their ranges among them.
  mutating func rulesValue(_ depth: Int = 2) -> RulesValue {
    switch int(0...(depth > 0 ? 12 : 10)) {
    case 0: .null
    case 1: .bool(once(in: 2))
    case 2: .int(choice([0, 1, -1, 5, .max, .min, 1 << 53 + 1]))
    case 3:
      .float(choice([0, -0.0, 1, 2.5, .nan, .infinity, -.infinity, 1e308, .leastNonzeroMagnitude]))
    case 4: .string(choice(["", "a", "日本", "😀é", "a.b", "[", "(", "\\", "$1", "1.5", "t", "\0"]))
    case 5: .bytes(choice([[], [0], [1, 2, 255]]))
    case 6:
      .timestamp(
        choice([
          Timestamp(seconds: -62_135_596_800, nanos: 0), Timestamp(seconds: 0, nanos: 1),
          Timestamp(seconds: 253_402_300_799, nanos: 999_999_999),
        ]))
    case 7: .latlng(latitude: choice([0, 90, -90]), longitude: choice([0, 180, -180]))
    case 8: .path(RulesPath(["databases", "(default)", "documents", "t", choice(["d", "zz"])]))
    case 9: .vector(choice([[], [1, 2], [.nan]]))
    case 10: .list([])
    case 11: .list((0..<int(0...4)).map { _ in rulesValue(depth - 1) })
    default: .map(rulesMap(depth - 1))
    }
  }

  mutating func rulesMap(_ depth: Int) -> RulesMap {
    var map: RulesMap = [:]
    for name in ["a", "b", "c", "size", "in", "日本"] where once(in: 2) {
      map[name] = rulesValue(depth)
    }
    return map
  }
}

/// Rules with documents and a user by chance; counts the documents that are read.
final class RandomRequests: RulesDocuments {
  let rules: ServiceRules
  private let document: RulesMap
  private let result: RulesMap
  private let auth: RulesValue
  private(set) var read: Set<[String]> = []

  init(_ rules: ServiceRules, seed: Int) {
    var random = SeededGenerator(seed: seed)
    self.rules = rules
    document = random.rulesMap(2)
    result = random.rulesMap(2)
    auth =
      random.once(in: 3)
      ? .null : .map(["uid": .string("alice"), "token": .map(random.rulesMap(1))])
  }

  func document(_ path: RulesPath) throws(RulesDocumentsError) -> RulesDocument? {
    read.insert(path.texts ?? [])
    return path.texts?.last == "zz" ? nil : RulesDocument(path: path, data: document)
  }

  func documentAfter(_ path: RulesPath) throws(RulesDocumentsError) -> RulesDocument? {
    read.insert(path.texts ?? [])
    return path.texts?.last == "zz" ? nil : RulesDocument(path: path, data: result)
  }

  private var context: RulesRequestContext {
    var context = Documents.context
    context.auth = auth
    return context
  }

  /// What a condition came to.
  enum Outcome: String { case yes, no, failed, outOfSteps }

  private func outcome(_ judge: () throws(Denial) -> Void) -> Outcome {
    do throws(Denial) {
      try judge()
      return .yes
    } catch {
      if error.message.contains("maximum of 1000 expressions") { return .outOfSteps }
      guard case .isFalse? = error.entries.last?.outcome else { return .failed }
      return .no
    }
  }

  /// The read of a document.
  var get: Outcome {
    outcome { () throws(Denial) in try rules.judgeGet([context.path(["t", "d"])], context, self) }
  }

  func write(_ kind: RulesWrite.Kind) -> Outcome {
    let write = RulesWrite(path: ["t", "d"], kind: kind, transformedFields: ["a"])
    return outcome { () throws(Denial) in try rules.judgeWrites([write], context, self) }
  }

  func list(_ filter: RulesFilter?) -> Outcome {
    let query = RulesQuery(parent: [], collectionID: "t", filter: filter, limit: 3)
    return outcome { () throws(Denial) in try rules.judgeList(query, context, self) }
  }
}
