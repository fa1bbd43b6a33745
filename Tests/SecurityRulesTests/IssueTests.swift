import Foundation
import Testing

@testable import SecurityRules

/// What the official emulator's compiler says of rulesets.
@Suite struct IssueTests {
  struct Recorded: Decodable, CustomTestStringConvertible {
    struct Item: Decodable, Equatable {
      var severity: String
      var line: Int
      var column: Int
      var offset: Int
      var end: Int
      var text: String
    }

    var content: String
    var issues: [Item]
    var testDescription: String { content }

    var isValid: Bool { issues.allSatisfy { $0.severity == "W" } }
  }

  static let recorded: [Recorded] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "testdata/rules/issues.json")
    return (try? JSONDecoder().decode([Recorded].self, from: Data(contentsOf: file))) ?? []
  }()

  @Test func allAreHere() { #expect(Self.recorded.count == 139) }

  private func items(_ ruleset: Ruleset) -> [Recorded.Item] {
    ruleset.issues.map { issue in
      Recorded.Item(
        severity: issue.severity == .error ? "E" : "W", line: issue.range?.line ?? 0,
        column: issue.range?.column ?? 0, offset: issue.range?.offset ?? 0,
        end: issue.range?.endOffset ?? 0, text: issue.description)
    }
  }

  /// Whether a text is one of the parser's own, whose words and number differ between parsers.
  private func isSyntax(_ item: Recorded.Item) -> Bool {
    ["Unexpected", "mismatched", "missing", "Missing", "Forward slash", "token", "Expected"]
      .contains { item.text.hasPrefix($0) }
  }

  @Test(arguments: recorded) func decides(_ recorded: Recorded) {
    #expect(Ruleset(name: "", content: recorded.content).isValid == recorded.isValid)
  }

  @Test(arguments: recorded) func says(_ recorded: Recorded) {
    let items = items(Ruleset(name: "", content: recorded.content))
    if recorded.issues.contains(where: isSyntax) {
      #expect(!items.isEmpty)
    } else if recorded.content.contains("firebase.storage"),
      recorded.content.contains("firestore.get")
    {
      // Firestore's own emulator does not know what the rules of Cloud Storage can call.
      #expect(items.isEmpty)
    } else {
      #expect(items == recorded.issues)
    }
  }
}
