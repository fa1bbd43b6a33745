import Coding
import Foundation
import Testing

@testable import SecurityRules

/// Reads and writes of documents, with what a refusal says.
@Suite struct RequestTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var expression: String
    var message: String
    var testDescription: String { expression }
  }

  static let messages: [Row] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "testdata/rules/messages.tsv")
    return ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n")
      .map { line in
        let cells = line.split(separator: "\t", maxSplits: 1)
        return Row(expression: String(cells[0]), message: String(cells[1]))
      }
  }()

  @Test func allAreHere() { #expect(Self.messages.count == 93) }

  @Test(arguments: messages) func recordedMessage(_ row: Row) throws {
    let rules = try Shelf.rules("allow get: if \(row.expression);")
    let dump = Documents.dump("databases", "(default)", "documents", "t", "zz")
    let expected = "\n" + row.message.replacing("[P t/zz]", with: "[\(dump)]")
    #expect(rules.get("t", "d") == expected)
  }

  @Test(
    "which patterns fit which documents",
    arguments: [
      ("/{p=**}", "yes yes yes", "yes yes yes"),
      ("/t/{p=**}", "yes yes yes", "yes yes yes"),
      ("/t/d/{p=**}", "no yes yes", "yes yes yes"),
      ("/t/{x}/{p=**}", "no yes yes", "yes yes yes"),
      ("/t/{x}/s/{p=**}", "no yes yes", "no yes yes"),
      ("/{a}/{b}", "yes no no", "yes no no"), ("/t/{x}", "yes no no", "yes no no"),
      ("/t/{x=*}", "yes no no", "yes no no"), ("/t/d", "yes no no", "yes no no"),
      ("/t", "no no no", "no no no"), ("/{a}", "no no no", "no no no"),
      ("/t/{x=**}/y", "error", "no no yes"), ("/t/*", "no no no", "no no no"),
      ("/t/**", "no no no", "no no no"), ("/t/'d'", "no no no", "no no no"),
    ])
  func matching(_ pattern: String, _ first: String, _ second: String) throws {
    for (version, expected) in [("1", first), ("2", second)] {
      let ruleset = Ruleset(
        name: "",
        content: """
          rules_version = '\(version)';
          service cloud.firestore { match /databases/{db}/documents {
            match \(pattern) { allow get; }
          } }
          """)
      guard let rules = ServiceRules(firestore: ruleset) else {
        #expect(expected == "error", "\(ruleset.compileError)")
        continue
      }
      let shelf = Shelf(rules: rules)
      let paths = [["t", "d"], ["t", "d", "s", "x"], ["t", "d", "s", "x", "w", "y"]]
      #expect(paths.map { shelf.get($0) == nil ? "yes" : "no" }.joined(separator: " ") == expected)
    }
  }

  @Test("a nested function sees the captures of its own place")
  func scopes() throws {
    let rules = try Shelf.rules(
      "function f(y) { let z = id + y; return z == 'd!'; } allow get: if f('!');")
    #expect(rules.get("t", "d") == nil)
    #expect(rules.get("t", "e") == "\nfalse for 'get' @ L5")
  }

  @Test("an existing document is written by update, a missing one by create")
  func createOrUpdate() throws {
    let rules = try Shelf.rules(
      "allow create: if request.resource.data.a == 1; allow update: if false;")
    #expect(rules.write(RulesWrite(path: ["t", "new"], kind: .createOrUpdate)) == nil)
    #expect(
      rules.write(RulesWrite(path: ["t", "d"], kind: .createOrUpdate))
        == "\nevaluation error at L5:24 for 'create' @ L5, false for 'update' @ L5, "
        + "false for 'update' @ L5")
  }

  @Test("documents of one request are judged in order, the first refusal ends it")
  func batches() throws {
    let shelf = try Shelf.rules("allow get: if id == 'd';")
    func message(_ ids: String...) -> String? {
      do throws(Denial) {
        try shelf.rules.judgeGet(
          ids.map { Documents.context.path(["t", $0]) }, Documents.context, shelf)
        return nil
      } catch {
        return error.message
      }
    }
    #expect(message("d") == nil)
    #expect(message("d", "x") == "\nfalse for 'get' @ L5, false for 'get' @ L5")
    #expect(message("x", "d") == "\nfalse for 'get' @ L5")
  }

  @Test("ten documents may be looked at, an eleventh not, one twice counts once")
  func lookups() throws {
    func condition(_ count: Int) -> String {
      (0..<count).map { "exists(/databases/$(database)/documents/e/d\($0))" }
        .joined(separator: " || ") + " || exists(/databases/$(database)/documents/e/d0) || true"
    }
    #expect(try Shelf.rules("allow get: if !(\(condition(10)));").get("t", "d") != nil)
    let strict = (0..<11).map { "!exists(/databases/$(database)/documents/e/d\($0))" }
    #expect(
      try Shelf.rules("allow get: if \(strict.prefix(10).joined(separator: " && "));").get("t", "d")
        == nil)
    #expect(
      try Shelf.rules("allow get: if \(strict.joined(separator: " && "));").get("t", "d")?
        .contains("Service call error. Function: [exists]") == true)
  }

  @Test("documents whose ids differ only in their bytes are two")
  func normalForms() throws {
    struct Twins: RulesDocuments {
      func document(_ path: RulesPath) throws(RulesDocumentsError) -> RulesDocument? {
        RulesDocument(path: path, data: ["bytes": .int(Int64(path.texts?.last?.utf8.count ?? 0))])
      }
      func documentAfter(_ path: RulesPath) throws(RulesDocumentsError) -> RulesDocument? {
        try document(path)
      }
    }
    func get(_ id: String) -> String { "get(/databases/$(d)/documents/t/$('\(id)')).data.bytes" }
    let ruleset = Ruleset(
      name: "",
      content: """
        service cloud.firestore { match /databases/{d}/documents { match /t/{id} {
          allow get: if \(get("\u{e9}")) == 2 && \(get("e\u{301}")) == 3;
        } } }
        """)
    let rules = try #require(ServiceRules(firestore: ruleset), "\(ruleset.compileError)")
    try rules.judgeGet([Documents.context.path(["t", "d"])], Documents.context, Twins())
  }

  @Test("a thousand expressions are evaluated, one more is an error")
  func expressions() throws {
    // A list of n numbers and its comparison: n + 3 expressions.
    func condition(_ count: Int) -> String {
      let list = "[" + Array(repeating: "1", count: count).joined(separator: ",") + "]"
      return "\(list).size() == \(count)"
    }
    #expect(try Shelf.rules("allow get: if \(condition(996));").get("t", "d") == nil)
    #expect(
      try Shelf.rules("allow get: if \(condition(997));").get("t", "d")?
        .contains("maximum of 1000 expressions") == true)
  }

  @Test("members and conjunctions count as many as there are, also where they are followed at once")
  func chains() throws {
    func message(_ conditions: [String], _ count: Int) throws -> String? {
      let list = "[" + Array(repeating: "1", count: count).joined(separator: ",") + "]"
      let condition = (conditions + ["\(list).size() == \(count)"]).joined(separator: " && ")
      return try Shelf.rules("allow get: if \(condition);").get("t", "d")
    }
    // A list of n numbers and its comparison, n + 4; four names and their comparison, 6; a conjunction, 2.
    let members = ["request.auth.token.sub == 'alice'"]
    #expect(try message(members, 988) == nil)
    #expect(try message(members, 989)?.contains("maximum of 1000 expressions") == true)
    let many = Array(repeating: "true", count: 50)
    #expect(try message(many, 846) == nil)
    #expect(try message(many, 847)?.contains("maximum of 1000 expressions") == true)
  }
}

/// Rules with the documents of the recorded messages.
struct Shelf: RulesDocuments {
  let rules: ServiceRules

  init(rules: ServiceRules) {
    self.rules = rules
  }

  /// `statements` begin at column 7 of line 5, within a match of `/t/{id}`.
  static func ruleset(_ statements: String) -> Ruleset {
    let content = """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          match /t/{x} {

      """
    return Ruleset(
      name: "",
      content: content.replacing(
        "{x}", with: statements.contains("(id") || statements.contains(" id ") ? "{id}" : "{x}")
        + "      " + statements + "\n    }\n  }\n}\n")
  }

  static func rules(_ statements: String) throws -> Shelf {
    let ruleset = ruleset(statements)
    return Shelf(
      rules: try #require(ServiceRules(firestore: ruleset), "\(ruleset.compileError)"))
  }

  func document(_ path: RulesPath) throws(RulesDocumentsError) -> RulesDocument? {
    guard ["d", "e"].contains(path.texts?.last), path.text(at: 3) == "t" else { return nil }
    return RulesDocument(
      path: path,
      data: [
        "a": .int(1), "b": .string("x"), "n": .null, "l": .list([.int(1)]),
        "m": .map(["k": .int(1)]),
      ])
  }

  func documentAfter(_ path: RulesPath) throws(RulesDocumentsError) -> RulesDocument? {
    guard path.texts?.dropFirst(3) == ["t", "new"] else { return try document(path) }
    return RulesDocument(path: path, data: ["a": .int(1)])
  }

  /// What a read is refused with.
  func get(_ path: String...) -> String? { get(path) }

  func get(_ path: [String]) -> String? {
    do throws(Denial) {
      try rules.judgeGet([Documents.context.path(path)], Documents.context, self)
      return nil
    } catch {
      return error.message
    }
  }

  func write(_ write: RulesWrite) -> String? {
    do throws(Denial) {
      try rules.judgeWrites([write], Documents.context, self)
      return nil
    } catch {
      return error.message
    }
  }

  func list(_ query: RulesQuery) -> String? {
    do throws(Denial) {
      try rules.judgeList(query, Documents.context, self)
      return nil
    } catch {
      return error.message
    }
  }
}
