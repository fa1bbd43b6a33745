/// What an upload is to become.
package struct UploadRequest: Hashable, Sendable {
  package var name: ObjectName
  package var attributes: ObjectAttributes
  /// Its download tokens.
  package var tokens: [String]
  package var expected: ExpectedChecksums
  package var preconditions = Preconditions()
  /// How many objects it is made of, whose checksums then are not those of all.
  package var componentCount: Int64?
  /// Who sends it, if that has to be known when it ends; empty for somebody unknown.
  package var author: String?

  package init(
    name: ObjectName, attributes: ObjectAttributes, tokens: [String],
    expected: ExpectedChecksums = ExpectedChecksums()
  ) {
    self.name = name
    self.attributes = attributes
    self.tokens = tokens
    self.expected = expected
  }
}
