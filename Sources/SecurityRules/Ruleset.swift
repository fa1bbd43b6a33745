/// A file of rules with what the compiler says of it.
package struct Ruleset: Sendable {
  /// The name of the file; empty if it came without one.
  package let name: String
  package let content: String
  package let issues: [Issue]
  /// `nil` if it has errors.
  let program: Program?

  /// Compiles a file. Never fails: errors are among the issues.
  package init(name: String, content: String) {
    self.name = name
    self.content = content
    var tree = Parser.parse(content)
    var program: Program?
    if !tree.hasErrors {
      var checker = Checker(tree)
      program = checker.check()
      tree.issues += checker.issues
      if tree.hasErrors { program = nil }
    }
    self.program = program
    issues = Self.sorted(tree.issues)
  }

  /// Whether it can be used.
  package var isValid: Bool { program != nil }

  /// The first line and then every issue on one, as clients are told.
  package var compileError: String {
    (["Error compiling rules:"] + issues.map(\.line)).joined(separator: "\n")
  }

  /// By position, those without one first; otherwise as they were found.
  private static func sorted(_ issues: [Issue]) -> [Issue] {
    issues.enumerated().sorted { left, right in
      let first = (left.element.range?.offset ?? -1, left.offset)
      let second = (right.element.range?.offset ?? -1, right.offset)
      return first < second
    }.map(\.element)
  }
}
