/// A decimal number taken apart: `mantissa` × 10 ^ `exponent`, with a sign.
///
/// Takes an optional sign, digits with an optional point among them, and an optional exponent; nothing around
/// them. Wider than JSON's grammar, as protobuf's JSON has numbers in strings too (`"+5"`, `"007"`).
package struct DecimalText: Hashable, Sendable {
  package let isNegative: Bool
  /// `nil` if the digits don't fit.
  let mantissa: UInt64?
  let exponent: Int

  package init?(_ text: Span<UInt8>) {
    var index = 0
    let sign = text.isEmpty ? 0 : text[0]
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { index = 1 }
    var digits = Digits()
    while index < text.count, digits.take(text[index]) { index += 1 }
    guard digits.count > 0 else { return nil }
    var power = 0
    if index < text.count {
      guard text[index] | 0x20 == UInt8(ascii: "e"),
        let given = Self.exponent(text.extracting((index + 1)...))
      else { return nil }
      power = given
    }
    self.isNegative = sign == UInt8(ascii: "-")
    self.mantissa = digits.mantissa
    self.exponent = power - digits.fractionDigits + digits.zeros
  }

  /// The digits of the mantissa; zeros at its end are counted, not multiplied in.
  private struct Digits {
    var mantissa: UInt64? = 0
    var count = 0
    var zeros = 0
    var fractionDigits = 0
    var hasPoint = false

    mutating func take(_ byte: UInt8) -> Bool {
      if byte == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
        return true
      }
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return false }
      count += 1
      if hasPoint { fractionDigits += 1 }
      if digit == 0 {
        if mantissa != 0 { zeros += 1 }
      } else {
        append(digit)
      }
      return true
    }

    private mutating func append(_ digit: UInt8) {
      for _ in 0...zeros {
        guard case (let product, false)? = mantissa?.multipliedReportingOverflow(by: 10) else {
          mantissa = nil
          break
        }
        mantissa = product
      }
      zeros = 0
      guard case (let sum, false)? = mantissa?.addingReportingOverflow(UInt64(digit)) else {
        mantissa = nil
        return
      }
      mantissa = sum
    }
  }

  /// The number after the `e`; what is beyond any range is cut to ±100,000.
  private static func exponent(_ text: Span<UInt8>) -> Int? {
    var index = 0
    let sign = text.isEmpty ? 0 : text[0]
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { index = 1 }
    guard index < text.count else { return nil }
    var value = 0
    while index < text.count {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = min(value * 10 + Int(digit), 100_000)
      index += 1
    }
    return sign == UInt8(ascii: "-") ? -value : value
  }

  /// The number as an integer, if it is one: `1e3` and `2.0` are.
  var integer: Int64? {
    guard var magnitude = mantissa else { return nil }
    guard magnitude != 0 else { return 0 }
    // The last digit of a mantissa is not 0: below 0 a fraction is left.
    guard 0...20 ~= exponent else { return nil }
    for _ in 0..<exponent {
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      guard !overflow else { return nil }
      magnitude = product
    }
    if isNegative {
      return magnitude <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
    }
    return Int64(exactly: magnitude)
  }

  /// The number if one exact multiplication or division gives it.
  var exactDouble: Double? {
    guard let mantissa, mantissa <= 1 << 53, -22...22 ~= exponent else { return nil }
    let power = Self.powers[abs(exponent)]
    let magnitude = exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
    return isNegative ? -magnitude : magnitude
  }

  private static let powers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}

extension Int64 {
  /// The integer that a decimal text stands for, exactly; `nil` for fractions, other text and overflow.
  package init?(decimal text: Span<UInt8>) {
    guard let value = DecimalText(text)?.integer else { return nil }
    self = value
  }
}

extension Double {
  /// The double nearest to a decimal text, or what `NaN`, `Infinity` and `-Infinity` name; `nil` for other text
  /// and for numbers beyond the range of doubles.
  package init?(decimal text: Span<UInt8>) {
    guard let number = DecimalText(text) else {
      switch String(utf8: text) {
      case "NaN": self = .nan
      case "Infinity": self = .infinity
      case "-Infinity": self = -.infinity
      default: return nil
      }
      return
    }
    if let value = number.exactDouble {
      self = value
      return
    }
    guard let string = String(utf8: text), let value = Double(string), value.isFinite else {
      return nil
    }
    self = value
  }
}
