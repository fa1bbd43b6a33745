import Coding
import Foundation
import Testing

@testable import SecurityRules

/// What was evaluated, as the official emulator reports it, and what explains a denial.
@Suite struct CoverageTests {
  private func report(_ rules: ServiceRules) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    rules.coverage.write(to: &writer, key: "report")
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func compact(_ json: String) throws -> String {
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8))
    return String(
      decoding: try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys]),
      as: UTF8.self)
  }

  @Test("the recorded example of a condition that short-cuts")
  func shortCut() throws {
    let ruleset = Ruleset(
      name: "",
      content: """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents {
            match /t/{id} {
              allow get: if id == 'd' || id.size() > 5;
              allow list: if true;
            }
          }
        }

        """)
    let shelf = Shelf(rules: try #require(ServiceRules(firestore: ruleset)))
    #expect(shelf.get("t", "d") == nil)
    #expect(shelf.get("t", "e") != nil)
    let expected = """
      {"report": [
        {"sourcePosition": {"line": 5, "column": 21, "currentOffset": 129, "endOffset": 154}, "values": [{"value": {"boolValue": true}, "count": 1}, {"value": {"boolValue": false}, "count": 1}], "children": [
          {"sourcePosition": {"line": 5, "column": 21, "currentOffset": 129, "endOffset": 137}, "values": [{"value": {"boolValue": true}, "count": 1}, {"value": {"boolValue": false}, "count": 1}], "children": [
            {"sourcePosition": {"line": 5, "column": 21, "currentOffset": 129, "endOffset": 130}, "values": [{"value": {"stringValue": "d"}, "count": 1}, {"value": {"stringValue": "e"}, "count": 1}]}]},
          {"sourcePosition": {"line": 5, "column": 34, "currentOffset": 142, "endOffset": 154}, "values": [{"value": {}, "count": 1}, {"value": {"boolValue": false}, "count": 1}], "children": [
            {"sourcePosition": {"line": 5, "column": 34, "currentOffset": 142, "endOffset": 148}, "values": [{"value": {}, "count": 1}, {"value": {"intValue": "1"}, "count": 1}], "children": [
              {"sourcePosition": {"line": 5, "column": 34, "currentOffset": 142, "endOffset": 143}, "values": [{"value": {}, "count": 1}, {"value": {"stringValue": "e"}, "count": 1}]}]}]}]}
      ]}
      """
    #expect(try compact(report(shelf.rules)) == compact(expected))
    let page = shelf.rules.coveragePage(of: ruleset)
    #expect(page.contains("allow get: if <span class=\"evaluated\" title=\"true × 1\nfalse × 1\">"))
    #expect(page.contains("id</span> == &#39;d") || page.contains("id</span> == 'd'"))
  }

  @Test("functions come first, with their bindings; values grow no further than the bound")
  func functions() throws {
    let shelf = try Shelf.rules(
      "function own(u) { let a = resource.data.a; return a == 1 && u == 'd'; } allow get: if own(id);"
    )
    for _ in 0..<100 { _ = shelf.get("t", "d") }
    let text = try compact(report(shelf.rules))
    #expect(text.hasPrefix(#"{"report":[{"children":[{"children":"#))
    #expect(text.contains(#""count":100,"value":{"undefined":{}}"#))
    #expect(text.contains(#"{"count":200,"value":{"stringValue":"d"}}"#))
  }

  @Test("evaluations at once are all counted")
  func together() async throws {
    let rules = RulesInForce(firestore: Shelf.ruleset("allow get: if id == 'd';"))
    let original = try #require(rules.original)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        // Each on whatever thread is free, by a copy of its own: they are to meet in the coverage.
        group.addTask {
          for _ in 0..<500 { if let own = rules.rules { _ = Shelf(rules: own).get("t", "d") } }
        }
      }
    }
    #expect(
      try compact(report(original)).contains(#"{"count":4000,"value":{"boolValue":true}}"#))
  }

  @Test("however many values there are, all evaluations are counted")
  func counts() throws {
    let shelf = try Shelf.rules("allow get: if (id == request.path[4]) || id == request.path[0];")
    for index in 0..<500 { _ = shelf.get("t", "d\(index)") }
    for node in shelf.rules.coverage.nodes[0].children[0].children + shelf.rules.coverage.nodes {
      #expect(node.entries.reduce(0) { $0 + $1.count } == 500)
      #expect(node.entries.count <= 21)
    }
    #expect(report(shelf.rules).contains("(values that are not told apart)"))
  }

  @Test("a denial is explained by the parts of its condition")
  func explanation() throws {
    let ruleset = Ruleset(
      name: "my.rules",
      content: """
        rules_version = '2';
        service cloud.firestore { match /databases/{db}/documents { match /t/{id} {
          allow get: if resource.data.b == request.auth.uid;
          allow list: if resource.data.o == request.auth.uid;
        } } }
        """)
    let rules = try #require(ServiceRules(firestore: ruleset))
    let shelf = Shelf(rules: rules)
    let lines = rules.explain(ruleset) { (rules) throws(Denial) in
      try rules.judgeGet([Documents.context.path(["t", "d"])], Documents.context, shelf)
    }
    #expect(lines.first == "my.rules:3:17 does not allow get")
    #expect(lines.contains("  resource.data.b is \"x\""))
    #expect(lines.contains("  request.auth.uid is \"alice\""))
    let query = rules.explain(ruleset) { (rules) throws(Denial) in
      try rules.judgeList(RulesQuery(parent: [], collectionID: "t"), Documents.context, shelf)
    }
    #expect(query.contains("  resource.data.o fails: Property o is undefined on object."))
    #expect(
      query.last == "  a query that has where(\"o\", \"==\", request.auth.uid) would prove it")
  }
}
