extension String {
  /// The text with these bytes; `nil` unless they are valid UTF-8.
  package init?(utf8 bytes: Span<UInt8>) {
    guard let span = try? UTF8Span(validating: bytes) else { return nil }
    self.init(copying: span)
  }
}
