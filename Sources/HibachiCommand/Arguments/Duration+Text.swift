extension Duration {
  /// Reads a whole number and its unit, such as `200ms`, `2s`, `15m`, `1h` or `7d`; at most a hundred years.
  init?(text: String) {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int64(digits) else { return nil }
    let unit: Int64
    switch text[digits.endIndex...] {
    case "ms": unit = 1
    case "s": unit = 1_000
    case "m": unit = 60_000
    case "h": unit = 3_600_000
    case "d": unit = 86_400_000
    default: return nil
    }
    let milliseconds = number.multipliedReportingOverflow(by: unit)
    guard !milliseconds.overflow, milliseconds.partialValue <= 36_525 * 86_400_000 else {
      return nil
    }
    self = .milliseconds(milliseconds.partialValue)
  }
}
