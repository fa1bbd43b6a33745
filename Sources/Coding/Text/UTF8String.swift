internal import CPlatform

/// A text whose identity is its UTF-8 bytes.
///
/// Names, ids, field names and strings are byte strings in Firestore and in Cloud Storage: the composed
/// and the decomposed form of "é" are two values. Swift's `String` compares them as equal, so it must
/// not decide anything; this type does, byte by byte.
package struct UTF8String: Hashable, Comparable, Sendable {
  /// The text; for output and for building other texts, never for comparing.
  package var string: String

  package init(_ string: String) {
    self.string = string
  }

  /// The bytes that decide equality and order.
  package var utf8: String.UTF8View { string.utf8 }

  /// Length in bytes.
  package var count: Int { string.utf8.count }

  package var isEmpty: Bool { string.utf8.isEmpty }

  package static func == (left: Self, right: Self) -> Bool {
    left.string.hasBytes(of: right.string)
  }

  /// The order of the bytes, unsigned, a shorter prefix first.
  package static func < (left: Self, right: Self) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    let isWhole: Void? = unsafe utf8.withContiguousStorageIfAvailable { bytes in
      unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
    }
    if isWhole == nil { for byte in utf8 { hasher.combine(byte) } }
    hasher.combine(UInt8(0xff))
  }
}

extension UTF8String: ExpressibleByStringLiteral, CustomStringConvertible {
  package init(stringLiteral value: String) {
    self.init(value)
  }

  package var description: String { string }
}

extension String {
  /// Whether the bytes are those of `other`. The operators of the library also take texts for equal that differ in their normal
  /// form.
  package func hasBytes(of other: String) -> Bool {
    let (left, right) = unsafe (
      unsafeBitCast(self, to: (UInt64, UInt64).self),
      unsafeBitCast(other, to: (UInt64, UInt64).self)
    )
    // The same short text, which lies in these words, or the same place in memory.
    if left == right { return true }
    guard utf8.count == other.utf8.count else { return false }
    let isEqual = unsafe utf8.withContiguousStorageIfAvailable { left in
      unsafe other.utf8.withContiguousStorageIfAvailable { right in
        unsafe cplatform_equal(left.baseAddress, right.baseAddress, left.count) != 0
      }
    }
    return (isEqual ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}
