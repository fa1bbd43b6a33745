extension String {
  /// How the bytes stand to those of `other`. The operators of the library also take texts for equal that differ in their normal
  /// form.
  func byteOrder(to other: String) -> Comparison.Order {
    let (left, right) = (utf8.span, other.utf8.span)
    for index in 0..<min(left.count, right.count) where left[index] != right[index] {
      return left[index] < right[index] ? .less : .greater
    }
    return left.count == right.count ? .equal : left.count < right.count ? .less : .greater
  }

  /// Whether the bytes are those of `other`.
  func hasBytes(of other: String) -> Bool {
    let (left, right) = (utf8.span, other.utf8.span)
    guard left.count == right.count else { return false }
    for index in left.indices where left[index] != right[index] { return false }
    return true
  }
}

extension [String] {
  /// Whether each has the bytes of the one in `other`: paths, whose segments are told apart as ids of documents are.
  func haveBytes(of other: [String]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.hasBytes(of: $1) }
  }
}
