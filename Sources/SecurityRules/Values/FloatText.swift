extension Double {
  /// The number as Java prints it, which is what `string()` gives: `1.0`, `1.0E-4`, `1.23456789E7`.
  var javaText: String {
    if isNaN { return "NaN" }
    if isInfinite { return self < 0 ? "-Infinity" : "Infinity" }
    if self == 0 { return sign == .minus ? "-0.0" : "0.0" }
    let (digits, exponent) = magnitude.shortestDigits
    let sign = self < 0 ? "-" : ""
    if -3..<7 ~= exponent {
      if exponent < 0 {
        return sign + "0." + String(repeating: "0", count: -exponent - 1) + digits
      }
      let padded =
        digits + String(repeating: "0", count: max(0, exponent + 2 - digits.utf8.count))
      return sign + padded.prefix(exponent + 1) + "." + padded.dropFirst(exponent + 1)
    }
    let fraction = digits.dropFirst()
    return sign + digits.prefix(1) + "." + (fraction.isEmpty ? "0" : fraction) + "E\(exponent)"
  }

  /// The fewest digits that give a positive number back, and the power of ten of the first.
  private var shortestDigits: (digits: String, exponent: Int) {
    let text = description
    let parts = text.split(whereSeparator: { $0 == "e" || $0 == "E" })
    let mantissa = parts.first.map(String.init) ?? "0"
    var exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let pieces = mantissa.split(separator: ".", omittingEmptySubsequences: false)
    let whole = pieces.first.map(String.init) ?? ""
    var digits = whole + (pieces.count > 1 ? String(pieces[1]) : "")
    exponent += whole.utf8.count - 1
    while digits.utf8.count > 1, digits.hasPrefix("0") {
      digits.removeFirst()
      exponent -= 1
    }
    while digits.utf8.count > 1, digits.hasSuffix("0") { digits.removeLast() }
    return (digits, exponent)
  }
}
