/// Why bytes could not be decompressed.
package struct CompressionError: Error, Hashable, Sendable {
  package enum Code: Hashable, Sendable {
    /// The input is no gzip, or ends before its end.
    case malformed
    /// The output is over the limit.
    case tooLarge
  }

  package var code: Code

  package init(_ code: Code) {
    self.code = code
  }
}
