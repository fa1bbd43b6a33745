internal import Coding

/// A span of time in whole nanoseconds; within ±315,576,000,000 s.
package struct RulesDuration: Hashable, Comparable, Sendable {
  /// Seconds, cut toward zero.
  package let seconds: Int64
  /// What is left of the seconds, with the same sign.
  package let nanos: Int32

  private static let limit: Int128 = 315_576_000_000 * 1_000_000_000

  /// `nil` beyond the range.
  init?(nanoseconds: Int128) {
    guard -Self.limit...Self.limit ~= nanoseconds else { return nil }
    seconds = Int64(nanoseconds / 1_000_000_000)
    nanos = Int32(nanoseconds % 1_000_000_000)
  }

  /// All of it in nanoseconds, with the sign.
  var total: Int128 { Int128(seconds) * 1_000_000_000 + Int128(nanos) }

  package static func < (left: Self, right: Self) -> Bool { left.total < right.total }

  /// `1.500s`: the text of protobuf's JSON.
  package var text: String {
    let magnitude = total.magnitude
    var text = (total < 0 ? "-" : "") + String(magnitude / 1_000_000_000)
    let nanos = String(magnitude % 1_000_000_000)
    if nanos != "0" {
      var digits = String(repeating: "0", count: 9 - nanos.utf8.count) + nanos
      while digits.hasSuffix("000") { digits.removeLast(3) }
      text += "." + digits
    }
    return text + "s"
  }
}

extension Timestamp {
  /// Nanoseconds since 1970.
  var nanoseconds: Int128 { Int128(seconds) * 1_000_000_000 + Int128(nanos) }

  /// `nil` outside of the years 1 to 9999.
  init?(nanoseconds: Int128) {
    var seconds = nanoseconds / 1_000_000_000
    var nanos = nanoseconds % 1_000_000_000
    if nanos < 0 {
      nanos += 1_000_000_000
      seconds -= 1
    }
    guard let whole = Int64(exactly: seconds) else { return nil }
    self.init(seconds: whole, nanos: Int32(nanos))
    guard isValid else { return nil }
  }
}
