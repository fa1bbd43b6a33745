/// The number of a transaction, which clients know as opaque bytes.
///
/// ```
/// 0    1
/// | 11 | number, eight bytes, little end first
/// ```
struct TransactionID: Hashable, Comparable, Sendable {
  let number: UInt64

  init(number: UInt64) {
    self.number = number
  }

  /// `nil` for bytes that are no id.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == 9, bytes[0] == 0x11 else { return nil }
    self.number = bytes[1...].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  var bytes: [UInt8] {
    [0x11] + (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  static func < (left: TransactionID, right: TransactionID) -> Bool {
    left.number < right.number
  }
}
