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
}
