/// Protobuf bytes that no message can have.
@usableFromInline
package struct WireError: Error, Hashable, Sendable {
  @usableFromInline
  package enum Code: Hashable, Sendable {
    /// The bytes end within a field.
    case truncated
    /// A varint of more than ten bytes or 64 bits.
    case malformedVarint
    /// Field number 0 or above 2^29 - 1, wire type 6 or 7, or an end without its group.
    case invalidTag
    case invalidUTF8
    /// Messages or groups within one another beyond the limit of the reader.
    case tooDeep
  }

  package var code: Code
  /// Where in the outermost message the reader was.
  package var offset: Int

  @usableFromInline
  package init(_ code: Code, at offset: Int) {
    self.code = code
    self.offset = offset
  }
}
