import Foundation
import HibachiTesting
import Testing

@testable import SecurityRules

/// Whatever the text, the compiler ends, and what it says is about places in the text.
@Suite struct SyntaxFuzzTests {
  /// Every issue stands where it says; a ruleset without errors compiles, and one with errors does not.
  private func check(_ text: String) {
    let ruleset = Ruleset(name: "", content: text)
    let source = Array(text.unicodeScalars)
    var lineStarts = [0]
    for (index, character) in source.enumerated() where character == "\n" {
      lineStarts.append(index + 1)
    }
    let misplaced = ruleset.issues.first { issue in
      guard let range = issue.range else { return false }
      let ends = range.offset - 1..<max(source.count, range.offset)
      guard 0...source.count ~= range.offset, ends ~= range.endOffset,
        lineStarts.indices.contains(range.line - 1)
      else { return true }
      return lineStarts[range.line - 1] + range.column - 1 != range.offset
    }
    #expect(misplaced == nil, "\(text)")
    let hasErrors = ruleset.issues.contains { $0.severity == .error }
    #expect(ruleset.isValid != hasErrors, "\(text)")
    // Work is bounded by the length: nothing is read twice into tokens or expressions.
    #expect(Lexer.tokens(of: text).count <= source.count + 1)
    let tree = Parser.parse(text)
    #expect(tree.expressions.count <= source.count && tree.issues.count <= 2 * source.count + 1)
  }

  /// How many seeds each test takes: more where `RULES_FUZZ` says so.
  static let seeds = 0..<(ProcessInfo.processInfo.environment["RULES_FUZZ"].flatMap(Int.init) ?? 20)
  private static let textsPerSeed = 50

  private func rules(_ seed: Int) -> [RandomRules] {
    (0..<Self.textsPerSeed).map { RandomRules(seed: seed * Self.textsPerSeed + $0) }
  }

  @Test(arguments: seeds) func fromTheGrammar(seed: Int) {
    for var rules in rules(seed) {
      let tokens = rules.ruleset()
      let text = rules.text(tokens)
      check(text)
      let syntax = Parser.parse(text).issues.filter { issue in
        issue.description.hasPrefix("Unexpected") || issue.description.hasPrefix("mismatched")
      }
      #expect(syntax.isEmpty, "\(syntax) in \(text)")
    }
  }

  @Test(arguments: seeds) func broken(seed: Int) {
    for var rules in rules(seed) {
      let tokens = rules.broken(rules.ruleset())
      check(rules.text(tokens))
    }
  }

  @Test(arguments: seeds) func withOtherBytes(seed: Int) {
    for var rules in rules(seed) {
      let tokens = rules.ruleset()
      let bytes = rules.random.mutated(Array(rules.text(tokens).utf8))
      check(String(decoding: bytes, as: UTF8.self))
    }
  }

  @Test(arguments: 0..<4) func cutAnywhere(seed: Int) {
    var rules = RandomRules(seed: seed)
    let tokens = rules.ruleset()
    let scalars = Array(rules.text(tokens).unicodeScalars.prefix(400))
    for count in 0...scalars.count {
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars[..<count])
      check(String(text))
    }
  }

  @Test(
    "long texts of one kind take a time that grows with their length",
    arguments: [
      "0", "1", ".", "/*", "*/", "/(", "/a", "\"", "'\\", "\\", "(", ")", "{", "}", "[", "!", "-",
      ";",
      "a ", "a.", "a[", "a(", "f(a,", "true?", "true&&", "if ", "\n", "//\n", "\0", "日", "\u{feff}",
      "match /a {", "match /{a=**} { allow read; ", "function f() { return ", "allow read; ",
      "allow read: if ; ", "import 'x';", "let a = 1; ", "service a {", "1 in ", "$", "/$(",
      "{'a':",
    ])
  func long(_ piece: String) {
    for head in ["", "service a { match /a { ", "service a { match /a { allow read: if "] {
      check(head + String(repeating: piece, count: 6_000 / piece.utf8.count))
    }
  }

  @Test("what begins and does not end is looked for once", arguments: ["0", "/* ", "/*\n"])
  func unended(_ piece: String) {
    let count = 300_000
    #expect(Lexer.tokens(of: String(repeating: piece, count: count)).count > count)
  }
}
