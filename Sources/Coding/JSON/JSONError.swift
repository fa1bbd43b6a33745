/// JSON that does not have the shape its reader asks for.
package struct JSONError: Error, Hashable, Sendable {
  package enum Code: Hashable, Sendable {
    /// No JSON: bad punctuation, bad escape, bad UTF-8, the end too early.
    case malformed
    /// Something follows the value.
    case trailingBytes
    case tooDeep
    /// Another kind of value than asked for, or one out of its range.
    case wrongValue
    /// A member that nobody asked for.
    case unknownName
  }

  package var code: Code
  /// Index of the byte where the reader was.
  package var offset: Int

  package init(_ code: Code, at offset: Int) {
    self.code = code
    self.offset = offset
  }
}
