/// Where something stands in the source: code points from 0, the last one included; lines and columns from 1.
package struct SourceRange: Hashable, Sendable {
  package var offset: Int
  /// The offset of the last character; one less than `offset` at the end of the file.
  package var endOffset: Int
  package var line: Int
  package var column: Int

  package init(offset: Int, endOffset: Int, line: Int, column: Int) {
    self.offset = offset
    self.endOffset = endOffset
    self.line = line
    self.column = column
  }

  /// From the start of this to the end of `other`.
  func through(_ other: SourceRange) -> SourceRange {
    SourceRange(offset: offset, endOffset: other.endOffset, line: line, column: column)
  }

  /// Whether this comes before `other`; the order of issues and of coverage.
  static func precedes(_ left: SourceRange, _ right: SourceRange) -> Bool {
    (left.offset, left.endOffset) < (right.offset, right.endOffset)
  }
}
