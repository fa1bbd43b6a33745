import Coding
import Foundation
import Testing

@testable import SecurityRules

/// The expressions whose values were read from the official emulator.
@Suite struct VerifiedExpressionTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var expression: String
    var expected: String
    var testDescription: String { expression }
  }

  static let rows: [Row] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "testdata/rules/expressions.tsv")
    return ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n").map {
      line in
      let cells = line.split(separator: "\t", maxSplits: 1)
      return Row(expression: String(cells[0]), expected: String(cells[1]))
    }
  }()

  static let generatedTexts: Set = ["7/2", "null is null"]

  @Test func allAreHere() { #expect(Self.rows.count == 412) }

  @Test(arguments: rows) func verified(_ row: Row) throws {
    let missing = Documents.dump("databases", "(default)", "documents", "t", "zz")
    let expected = row.expected.replacing("[P t/zz]", with: "[\(missing)]")
      .replacing("[P t/e]", with: "[\(Documents.dump("t", "e"))]")
    let outcome = try Documents.outcome(of: row.expression)
    guard !Self.generatedTexts.contains(row.expression) else {
      // The words are those of a generated parser; the place counts.
      #expect(outcome.split(separator: " ")[..<3] == expected.split(separator: " ")[..<3])
      return
    }
    #expect(outcome == expected)
  }
}

/// The documents and the user of the verified expressions.
struct Documents: RulesDocuments {
  static let data: RulesMap = [
    "i": .int(5), "f": .float(2.5), "s": .string("héllo"), "b": .bytes([1, 2, 255]),
    "t": .timestamp(Timestamp(seconds: 1_709_210_096, nanos: 789_012_000)),
    "g": .latlng(latitude: 1.5, longitude: -2.5),
    "r": .path(RulesPath(["databases", "(default)", "documents", "t", "e"])),
    "l": .list([.int(1), .int(2)]),
    "m": .map(["k": .int(1), "n": .map(["z": .int(2)])]), "n": .null, "nan": .float(.nan),
    "vec": .vector([1, 2]), "size": .int(7), "a.b": .int(8), "in": .int(3),
  ]

  static let context = RulesRequestContext(
    database: "(default)",
    auth: .map([
      "uid": .string("alice"),
      "token": .map([
        "sub": .string("alice"), "email": .string("a@x.com"), "admin": .bool(true),
        "lvl": .int(3), "f": .float(1.5), "nul": .null, "arr": .list([.int(1), .string("a")]),
      ]),
    ]), time: Timestamp(seconds: 1_796_029_200, nanos: 123_000_000))

  func document(_ path: RulesPath) throws(RulesDocumentsError) -> RulesDocument? {
    switch Array((path.texts ?? []).dropFirst(3)) {
    case ["t", "d"]: return RulesDocument(path: path, data: Self.data)
    case ["t", "e"]: return RulesDocument(path: path, data: ["a": .int(2)])
    default: return nil
    }
  }

  func documentAfter(_ path: RulesPath) throws(RulesDocumentsError) -> RulesDocument? {
    try document(path)
  }

  static let head = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /t/{id} {
          allow get: if
    """ + "\n"

  /// What an expression comes to on a read of `t/d`, in the words of the table.
  static func outcome(of expression: String) throws -> String {
    let ruleset = Ruleset(name: "", content: head + expression + "; } } }\n")
    guard let program = ruleset.program else {
      let issue = try #require(ruleset.issues.first { $0.severity == .error })
      return "C col \(issue.range?.column ?? 0) \(issue.description)"
    }
    let rules = try #require(ServiceRules(firestore: ruleset))
    let path = context.path(["t", "d"])
    let cache = LookupCache(Documents(), database: "(default)", limit: 10)
    cache.begin(path)
    let request = context.request(.get, path: .path(path), fields: .null)
    var evaluator = Evaluator(
      program,
      Evaluator.Variables(
        request: request, resource: RulesDocument(path: path, data: data).value),
      lookup: cache.call)
    let condition = try #require(rules.index.statements[0].statement.condition)
    let frame = Frame(captures: .values([.string("(default)"), .string("d")]))
    do throws(EvaluationFailure) {
      return try evaluator.evaluate(condition, frame).shown
    } catch {
      return "E \(error.cause ?? "unknown")"
    }
  }

  static func dump(_ segments: String...) -> String { RulesPath(segments).protobufText }
}
