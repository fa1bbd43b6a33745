/// A point in time as `google.protobuf.Timestamp` holds it: seconds since 1970-01-01T00:00:00Z and
/// nanoseconds 0...999,999,999 that count forward, for times before 1970 too.
package struct Timestamp: Hashable, Comparable, Sendable {
  package var seconds: Int64
  package var nanos: Int32

  package init(seconds: Int64, nanos: Int32) {
    self.seconds = seconds
    self.nanos = nanos
  }

  /// The time `microseconds` after 1970, before it if negative.
  package init(microseconds: Int64) {
    let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    self.seconds = rest < 0 ? seconds - 1 : seconds
    self.nanos = Int32((rest < 0 ? rest + 1_000_000 : rest) * 1_000)
  }

  /// Microseconds since 1970, rounded toward the past; saturates outside the range of `Int64`.
  package var microseconds: Int64 {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    let (sum, carried) = product.addingReportingOverflow(Int64(nanos / 1_000))
    return carried ? .max : sum
  }

  /// The same time cut to whole microseconds, toward the past, as Firestore stores every time.
  package var truncatedToMicroseconds: Timestamp {
    Timestamp(seconds: seconds, nanos: nanos - nanos % 1_000)
  }

  package static func < (left: Self, right: Self) -> Bool {
    (left.seconds, left.nanos) < (right.seconds, right.nanos)
  }
}
