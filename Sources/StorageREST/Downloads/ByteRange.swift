/// The bytes that a download gives (RFC 9110 §14).
enum ByteRange: Hashable {
  case whole
  case part(Range<Int64>)
  /// Nothing of the object is in it.
  case unsatisfiable

  /// What the value of `Range` means for an object of `size` bytes: one that is malformed, or several, mean nothing.
  init(_ text: String?, size: Int64) {
    self = .whole
    guard let text, text.utf8.starts(with: "bytes=".utf8) else { return }
    let ends = text.dropFirst(6).split(
      separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }) else {
      return
    }
    let numbers = ends.map { Int64($0) ?? .max }
    switch (ends[0].isEmpty, ends[1].isEmpty) {
    case (true, true): break
    case (true, false):
      if size > 0, numbers[1] > 0 { self = .part(max(0, size - numbers[1])..<size) }
      if size > 0, numbers[1] == 0 { self = .unsatisfiable }
    case (false, true):
      self = numbers[0] < size ? .part(numbers[0]..<size) : .unsatisfiable
    case (false, false):
      guard numbers[0] <= numbers[1] else { return }
      self =
        numbers[0] < size
        ? .part(numbers[0]..<(min(numbers[1], size - 1) + 1)) : .unsatisfiable
    }
  }
}
