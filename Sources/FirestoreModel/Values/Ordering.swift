/// How a left side stands to a right side.
@usableFromInline
package enum Ordering: Sendable {
  case ascending
  case equal
  case descending

  @inlinable
  package init<T: Comparable>(_ left: T, _ right: T) {
    self = left < right ? .ascending : right < left ? .descending : .equal
  }

  /// Byte by byte, unsigned, a shorter prefix first.
  package init(_ left: String.UTF8View, _ right: String.UTF8View) {
    var rest = right.makeIterator()
    for byte in left {
      guard let other = rest.next() else {
        self = .descending
        return
      }
      guard byte == other else {
        self = byte < other ? .ascending : .descending
        return
      }
    }
    self = rest.next() == nil ? .equal : .ascending
  }

  /// Element by element, a shorter prefix first.
  package init<Element>(
    _ left: [Element], _ right: [Element], by compare: (Element, Element) -> Ordering
  ) {
    for (left, right) in zip(left, right) {
      let ordering = compare(left, right)
      guard ordering == .equal else {
        self = ordering
        return
      }
    }
    self.init(left.count, right.count)
  }

  package var reversed: Ordering {
    switch self {
    case .ascending: .descending
    case .equal: .equal
    case .descending: .ascending
    }
  }

  /// This order, or, of equals, what `next` says.
  package func then(_ next: @autoclosure () -> Ordering) -> Ordering {
    self == .equal ? next() : self
  }
}
