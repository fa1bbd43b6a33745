import HibachiTesting
import Testing

@testable import SecurityRules

/// Conditions by chance over requests by chance: they end within their limits, and the sides of an operator may be exchanged.
@Suite struct EvaluationPropertyTests {
  private static let values = [
    "1", "0", "-1", "9223372036854775807", "2.5", "true", "false", "null", "'s'", "''", "'é😀'",
    "'['", "b'\\xff'", "[]", "[1, 'a', 1]", "{}", "{'a': 1}", "request", "resource", "request.path",
    "resource.data", "resource.data.a", "resource.data.b", "resource.data.c", "request.auth.uid",
    "request.auth.token.a", "request.time", "/a/b", "/databases/(default)/documents/t/d", "id",
    "zz",
    "duration.value(1, 's')", "duration.value(-9000000000, 'w')", "timestamp.date(2024, 2, 29)",
    "latlng.value(1, 2)", "[1].toSet()", "{'a': 1}.diff({'b': 2})", "path('/a/{x}')", "1.0 / 0",
    "request.resource.data.a", "request.resource", "request.query.limit", "request.method",
    "{'a': resource.data}", "[resource.data.a]", "f(resource.data.a)", "'99999999999999999999'",
  ]

  static func rules(_ condition: String) -> ServiceRules? {
    rules(statements: "allow read, write: if \(condition);")
  }

  /// `statements` stand in a match of `/t/{id}`, where the functions `f` and `g` can be called.
  static func rules(statements: String) -> ServiceRules? {
    ServiceRules(
      firestore: Ruleset(
        name: "",
        content: """
          rules_version = '2';
          service cloud.firestore { match /databases/{database}/documents {
            function f(a) { let b = a; return b == a; }
            function g(a, b) { return f(a) || f(b); }
            match /t/{id} { \(statements) }
          } }
          """))
  }

  private static func judge(_ condition: String, seed: Int) -> RandomRequests.Outcome? {
    rules(condition).map { RandomRequests($0, seed: seed).get }
  }

  /// An expression of any operators and functions.
  private static func expression(_ depth: Int, _ random: inout SeededGenerator) -> String {
    guard depth > 0 else { return values[random.int(0...(values.count - 1))] }
    func inner(_ random: inout SeededGenerator) -> String {
      "(" + expression(random.int(0...(depth - 1)), &random) + ")"
    }
    func choice(_ texts: [String]) -> String { texts[random.int(0...(texts.count - 1))] }
    switch random.int(0...11) {
    case 0...3:
      let sign = choice(RandomRules.binary)
      return "\(inner(&random)) \(sign) \(inner(&random))"
    case 4: return "!" + inner(&random)
    case 5: return "-" + inner(&random)
    case 6: return "\(inner(&random)) ? \(inner(&random)) : \(inner(&random))"
    case 7: return "\(inner(&random)) is \(choice(RandomRules.types))"
    case 8: return "\(inner(&random))[\(inner(&random))]"
    case 9: return "\(inner(&random))[\(inner(&random)):\(inner(&random))]"
    case 10: return "/databases/(default)/documents/t/$(\(inner(&random)))"
    default:
      let arguments = (0..<random.int(0...3)).map { _ in inner(&random) }.joined(separator: ", ")
      if random.once(in: 2) {
        return "\(inner(&random)).\(choice(RandomRules.methods))(\(arguments))"
      }
      return "\(choice(RandomRules.functions))(\(arguments))"
    }
  }

  @Test(
    "every function and method takes whatever it is given",
    arguments: Array(Builtin.functions.values) + Builtin.methods.values.joined())
  func everyFunction(_ builtin: Builtin) throws {
    let name = builtin.name.split(separator: ".").last ?? ""
    for seed in 0..<25 {
      var random = SeededGenerator(seed: seed)
      let fitting = (0...4).first { !builtin.overloads(argumentCount: $0).isEmpty } ?? 0
      let count = random.once(in: 8) ? random.int(0...4) : fitting
      var values = (0...count).map { _ in Self.expression(random.int(0...1), &random) }
      let receiver = values.removeFirst()
      let arguments = values.joined(separator: ", ")
      let call =
        builtin.receiver == nil
        ? "\(builtin.name)(\(arguments))" : "(\(receiver)).\(name)(\(arguments))"
      guard let rules = Self.rules("\(call) == 1") else { continue }
      let requests = RandomRequests(rules, seed: seed)
      _ = requests.get
      _ = requests.write(.createOrUpdate)
      _ = requests.list(.field(["a"], .lessThan, .int(5)))
    }
  }

  @Test("both sides of an operator are looked at, in whichever order", arguments: 0..<300)
  func sides(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let (first, second) = (Self.expression(4, &random), Self.expression(4, &random))
    // A condition must be a bool: what is none fails as a side, too.
    guard let left = Self.judge(first, seed: seed), let right = Self.judge(second, seed: seed),
      left != .outOfSteps, right != .outOfSteps
    else { return }
    let and: RandomRequests.Outcome =
      left == .no || right == .no ? .no : left == .yes && right == .yes ? .yes : .failed
    let or: RandomRequests.Outcome =
      left == .yes || right == .yes ? .yes : left == .no && right == .no ? .no : .failed
    for (sign, expected) in [("&&", and), ("||", or)] {
      for condition in ["(\(first)) \(sign) (\(second))", "(\(second)) \(sign) (\(first))"] {
        guard let outcome = Self.judge(condition, seed: seed), outcome != .outOfSteps else {
          continue
        }
        #expect(outcome == expected, "\(condition)")
      }
    }
    let chosen = left == .yes ? RandomRequests.Outcome.yes : left == .no ? .no : .failed
    #expect(Self.judge("(\(first)) ? true : false", seed: seed) == chosen)
  }

  @Test("however long a condition is, it ends after so many steps and documents", arguments: 0..<60)
  func limits(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    var parts = (0..<random.int(1...25)).map { index in
      "exists(/databases/(default)/documents/t/x\(index)) || " + Self.expression(5, &random)
    }
    parts.append("f(f(f([\(Array(repeating: "request", count: 400).joined(separator: ","))])))")
    let condition = parts.map { "!(\($0))" }.joined(separator: " && ")
    guard var rules = Self.rules(condition) else { return }
    let trace = Trace()
    rules.trace = trace
    let requests = RandomRequests(rules, seed: seed)
    _ = requests.get
    // Each of the two phases has its steps.
    #expect(trace.steps <= 2 * Evaluator.limit)
    #expect(requests.read.count <= LookupCache.limitForOne + 1)
    for kind in [RulesWrite.Kind.create, .update, .createOrUpdate, .delete, .verify] {
      _ = requests.write(kind)
    }
    _ = requests.list(nil)
    _ = requests.list(.or([.field(["a"], .equal, .int(1)), .field(["b"], .contains, .null)]))
  }
}
