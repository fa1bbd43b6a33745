/// One token of the source.
struct Token: Sendable {
  enum Kind: Hashable, Sendable {
    /// A word, reserved ones among them.
    case identifier
    case integer
    case float
    case string
    case bytes
    /// A slash and the segment behind it, without a blank between.
    case pathSegment
    case symbol
    /// Something that the language does not have; `message` says so.
    case invalid
    case end
  }

  var kind: Kind
  /// As it is written; of a path segment without the slash and the parentheses.
  var text: String
  var range: SourceRange
  /// The value of a string.
  var value = ""
  /// The value of a bytes literal; `nil` if it is not valid.
  var bytes: [UInt8]?
  /// What is wrong with an invalid token.
  var message = ""

  /// Whether this is the symbol or the reserved word `text`.
  func isText(_ text: StaticString) -> Bool {
    (kind == .symbol || kind == .identifier) && self.text == text.description
  }

  /// How a message quotes the token.
  var quoted: String {
    switch kind {
    case .end: "<EOF>"
    case .pathSegment: "/" + text
    case .identifier, .integer, .float, .string, .bytes, .symbol, .invalid: text
    }
  }
}
