/// Why a request was refused.
package struct Denial: Error, Sendable {
  /// The outcome of one statement.
  package struct Entry: Sendable {
    package enum Outcome: Sendable {
      /// False; also of statements that were true where others were not.
      case isFalse
      /// It depends on what was not read, or on what no filter proves.
      case isUnknown
      /// It failed for this reason.
      case failed(String)
    }

    package var outcome: Outcome
    package var method: Method
    /// Where the condition begins.
    package var range: SourceRange
    /// `nil` for a statement without one.
    var condition: ExpressionID?

    var text: String {
      let place = "for '\(method.rawValue)' @ L\(range.line)"
      return switch outcome {
      case .isFalse: "false \(place)"
      case .isUnknown: "evaluation error at L\(range.line):\(range.column) \(place)"
      case .failed(let cause): "\(cause) \(place)"
      }
    }
  }

  /// In the order of evaluation; empty if no statement speaks of the request.
  package var entries: [Entry]
  /// Instead of the entries, where something else refuses.
  var fixedMessage: String?

  init(entries: [Entry]) {
    self.entries = entries
  }

  /// A refusal that no statement makes.
  package init(message: String) {
    entries = []
    fixedMessage = message
  }

  /// What the client is told.
  package var message: String {
    if let fixedMessage { return fixedMessage }
    guard !entries.isEmpty else { return "No matching allow statements" }
    return "\n" + entries.map(\.text).joined(separator: ", ")
  }
}
