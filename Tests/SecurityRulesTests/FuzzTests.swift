import HibachiTesting
import Synchronization
import Testing

@testable import SecurityRules

/// Whatever the text: the compiler ends, and what compiles is evaluated within its limits.
@Suite struct FuzzTests {
  static let words = [
    "rules_version = '2';", "service cloud.firestore {", "match /databases/{db}/documents {",
    "match /t/{x} {", "match /{p=**} {", "allow read", ": if ", "true", "false", "null", "&&", "||",
    "==", "!=", "<", ">=", "+", "-", "*", " / ", "%", "!", "in", "is", "int", "(", ")", "[", "]",
    "{", "}", ",", ";", ":", "?", ".", "a", "request", "resource", ".data", ".size()", "f(", "1",
    "2.5", "'s'", "\"\\u00e9\"", "b'\\xff'", "/a/b", "/a/$(", "function f(a) {", "let b =",
    "return", "get(/a/b)", "math.abs(", "'", "\\", "/*", "*/", "//", "\n", "\u{feff}", "é", "0x1",
    "99999999999999999999", "matches('(')", "request.path[0:", "[1,2].toSet()",
  ]

  static let expressions = [
    "1", "0", "-1", "2.5", "true", "false", "null", "'s'", "''", "'é😀'", "b'\\xff'", "[]",
    "[1, 'a']", "{}", "{'a': 1}", "request", "resource", "resource.data", "resource.data.a",
    "request.auth", "request.time", "request.path", "/a/b", "id", "zz", "duration.value(1, 's')",
    "timestamp.date(2024, 2, 29)", "latlng.value(1, 2)", "[1].toSet()", "{'a': 1}.diff({})",
    "9223372036854775807", "get(/databases/$(database)/documents/t/d)", "f(1)", "g(1, 2)",
  ]
  static let binary = [
    "&&", "||", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", " / ", "%", "in",
  ]
  static let methods = Array(Builtin.methods.keys).sorted()
  static let functions = Array(Builtin.functions.keys).sorted()

  @Test(arguments: 0..<300) func anyTokens(seed: Int) {
    var random = SeededGenerator(seed: seed)
    var text = ""
    for _ in 0..<Int.random(in: 1...120, using: &random) {
      text +=
        (Self.words.randomElement(using: &random) ?? "") + (Bool.random(using: &random) ? " " : "")
    }
    check(Ruleset(name: "", content: text), text)
  }

  @Test(arguments: 0..<200) func brokenFiles(seed: Int) {
    var random = SeededGenerator(seed: seed)
    var scalars = Array(
      (IssueTests.recorded.randomElement(using: &random)?.content ?? "").unicodeScalars)
    for _ in 0..<Int.random(in: 1...4, using: &random) where !scalars.isEmpty {
      let index = Int.random(in: 0..<scalars.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: scalars.remove(at: index)
      case 1: scalars.insert(scalars[Int.random(in: 0..<scalars.count, using: &random)], at: index)
      default: scalars.removeSubrange(index...)
      }
    }
    let text = String(String.UnicodeScalarView(scalars))
    check(Ruleset(name: "", content: text), text)
  }

  private func check(_ ruleset: Ruleset, _ text: String) {
    let count = text.unicodeScalars.count
    for issue in ruleset.issues {
      guard let range = issue.range else { continue }
      #expect(0...count ~= range.offset && range.endOffset < count, "\(text)")
    }
    #expect(ruleset.isValid || !ruleset.issues.isEmpty, "\(text)")
    if let rules = ServiceRules(firestore: ruleset) {
      _ = Shelf(rules: rules).get("t", "d")
      _ = Shelf(rules: rules).list(RulesQuery(parent: [], collectionID: "t"))
    }
  }

  private static func expression(_ depth: Int, _ random: inout SeededGenerator) -> String {
    guard depth > 0 else { return expressions.randomElement(using: &random) ?? "1" }
    func inner() -> String { expression(Int.random(in: 0..<depth, using: &random), &random) }
    func arguments() -> String {
      (0..<Int.random(in: 0...3, using: &random)).map { _ in inner() }.joined(separator: ", ")
    }
    switch Int.random(in: 0..<9, using: &random) {
    case 0...2: return "(\(inner()) \(binary.randomElement(using: &random) ?? "+") \(inner()))"
    case 3: return "!(\(inner()))"
    case 4: return "-(\(inner()))"
    case 5: return "(\(inner()) ? \(inner()) : \(inner()))"
    case 6: return "(\(inner())).\(methods.randomElement(using: &random) ?? "size")(\(arguments()))"
    case 7: return "\(functions.randomElement(using: &random) ?? "int")(\(arguments()))"
    default: return "(\(inner()))[\(inner())]"
    }
  }

  @Test(arguments: 0..<400)
  func anyExpression(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let condition = Self.expression(6, &random)
    let other = Self.expression(4, &random)
    func rules(_ statements: String) -> Shelf? {
      EvaluationPropertyTests.rules(statements: statements).map(Shelf.init)
    }
    guard let first = rules("allow read: if \(condition); allow read: if \(other);"),
      let second = rules("allow read: if \(other); allow read: if \(condition);")
    else { return }
    // The order of statements decides nothing, as long as the limit is not reached.
    let answers = (first.get("t", "d"), second.get("t", "d"))
    if answers.0?.contains("maximum of") != true, answers.1?.contains("maximum of") != true {
      #expect((answers.0 == nil) == (answers.1 == nil), "\(condition) | \(other)")
    }
    // Nor does it whether a request is judged in phases or at once.
    let writes = [RulesWrite.Kind.createOrUpdate, .create, .update, .delete, .verify].map {
      RulesWrite(path: ["t", "d"], kind: $0)
    }
    let phased = writes.map(first.write)
    first.rules.coverage.requests.store(Coverage.phasedRequests, ordering: .relaxed)
    #expect(first.get("t", "d") == answers.0, "\(condition) | \(other)")
    #expect(writes.map(first.write) == phased, "\(condition) | \(other)")
    _ = first.list(
      RulesQuery(
        parent: [], collectionID: "t", filter: .field(["a"], .lessThan, .int(5)), limit: 3))
  }

  @Test(
    "deep and long texts end", arguments: ["(", "[", "!", "-(", "{'a':", "f(", "a.b[", "true?"])
  func deep(_ piece: String) {
    for count in [50, 98, 99, 200, 5000] {
      let text =
        "service cloud.firestore { match /a/{b} { allow read: if "
        + String(repeating: piece, count: count)
      #expect(!Ruleset(name: "", content: text).isValid)
    }
  }

  @Test("as many parentheses and operands as are safe")
  func depth() {
    func isValid(_ condition: String) -> Bool {
      Ruleset(
        name: "",
        content: "service cloud.firestore { match /a/{b} { allow read: if \(condition); } }"
      ).isValid
    }
    func parentheses(_ count: Int) -> String {
      String(repeating: "(", count: count) + "true" + String(repeating: ")", count: count)
    }
    func operands(_ count: Int) -> String {
      Array(repeating: "true", count: count).joined(separator: " && ")
    }
    #expect(isValid(parentheses(98)) && !isValid(parentheses(99)))
    #expect(isValid(operands(99)) && !isValid(operands(100)))
  }

  @Test("chains of calls")
  func calls() {
    func isValid(_ count: Int) -> Bool {
      var text = "function f0() { return true; } "
      for index in 1..<count { text += "function f\(index)() { return f\(index - 1)(); } " }
      return Ruleset(
        name: "",
        content:
          "service cloud.firestore { match /a/{b} { \(text) allow read: if f\(count - 1)(); } }"
      ).isValid
    }
    #expect(isValid(21) && !isValid(22) && !isValid(5000))
  }

  @Test("the longest evaluation stays on the stack")
  func longest() throws {
    // Each function evaluates its argument at the bottom of a deep expression.
    var text = "function f0(a) { return a; } "
    for index in 1..<20 {
      text +=
        "function f\(index)(a) { return "
        + String(repeating: "!!", count: 20) + "f\(index - 1)("
        + String(repeating: "!!", count: 20) + "a); } "
    }
    let ruleset = Ruleset(
      name: "",
      content: "service cloud.firestore { match /{b=**} { \(text) allow read: if f19(true); } }")
    let shelf = Shelf(rules: try #require(ServiceRules(firestore: ruleset)))
    #expect(shelf.get("t", "d")?.contains("maximum of 1000") == true)
  }

  @Test(
    "values that double with each call end at a bound",
    arguments: ["a + a", "[a, a]", "{'x': a, 'y': a}", "[a].concat([a]).concat(a)"])
  func growth(_ doubled: String) throws {
    var text = "function f0(a) { return \(doubled); } "
    for index in 1..<20 {
      text += "function f\(index)(a) { return f\(index - 1)(f\(index - 1)(a)); } "
    }
    let ruleset = Ruleset(
      name: "",
      content: """
        service cloud.firestore { match /{b=**} {
          \(text) allow read: if f19(f19([resource.data.b, 'x'])) == f19(f19('x')) || f6('x') == f6(f6('x'));
        } }
        """)
    let shelf = Shelf(rules: try #require(ServiceRules(firestore: ruleset)))
    #expect(shelf.get("t", "d") != nil)
  }

  @Test("long lists are compared in a time that grows with their length")
  func longLists() throws {
    let long = RulesValue.list((0..<100_000).map { .int(Int64($0)) })
    for method in Overload.methodsOfLists where method.name != "join" {
      guard case .value(let body) = method.body else { continue }
      #expect(try body(long, long, []) != nil)
    }
  }
}
