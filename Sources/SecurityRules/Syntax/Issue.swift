/// What the compiler has to say of a ruleset.
package struct Issue: Hashable, Sendable {
  package enum Severity: String, Sendable {
    case error = "ERROR"
    case warning = "WARNING"
  }

  package var severity: Severity
  /// `nil` where an issue concerns the file as a whole.
  package var range: SourceRange?
  package var description: String

  package init(_ severity: Severity, at range: SourceRange?, _ description: String) {
    self.severity = severity
    self.range = range
    self.description = description
  }

  /// The line of a compile error's text: `L4:9 Unexpected ';'.`
  package var line: String { "L\(range?.line ?? 0):\(range?.column ?? 0) \(description)" }
}
