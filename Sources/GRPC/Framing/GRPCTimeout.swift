/// The value of `grpc-timeout`: up to eight digits and a unit.
enum GRPCTimeout {
  /// `nil` if `text` is not a timeout.
  static func parse(_ text: String) -> Duration? {
    let bytes = text.utf8
    guard let unit = bytes.last, 2...9 ~= bytes.count else { return nil }
    var value = 0
    for digit in bytes.dropLast() {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    switch unit {
    case UInt8(ascii: "H"): return .seconds(value * 3_600)
    case UInt8(ascii: "M"): return .seconds(value * 60)
    case UInt8(ascii: "S"): return .seconds(value)
    case UInt8(ascii: "m"): return .milliseconds(value)
    case UInt8(ascii: "u"): return .microseconds(value)
    case UInt8(ascii: "n"): return .nanoseconds(value)
    default: return nil
    }
  }
}
