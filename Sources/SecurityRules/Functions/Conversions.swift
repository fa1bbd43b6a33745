internal import Coding

/// `string()`, `int()`, `float()` and `path()`.
enum Conversions {
  /// The types that have a text.
  static let texts: [RulesType] = [.int, .float, .null, .string, .bool, .path]

  static func string(_ value: RulesValue) throws(EvaluationFailure) -> String {
    switch value {
    case .int(let number): return String(number)
    case .float(let number): return number.javaText
    case .null: return "null"
    case .string(let text): return text
    case .bool(let bool): return bool ? "true" : "false"
    case .path(let path): return path.description
    case .bytes, .list, .map, .set, .mapDiff, .timestamp, .duration, .latlng, .vector, .constraint,
      .unknown:
      let expected = texts.map { "string(\($0.name))" }
      throw .unsupported("string(\(value.typeName))", expected.joined(separator: ", "))
    }
  }

  static func int(_ text: String) throws(EvaluationFailure) -> RulesValue {
    let digits =
      text.utf8.first.map { $0 == 43 || $0 == 45 } ?? false
      ? text.utf8.dropFirst() : text.utf8[...]
    guard !digits.isEmpty, digits.allSatisfy({ 48...57 ~= $0 }), let number = Int64(text) else {
      throw .conversion(text, to: "int")
    }
    return .int(number)
  }

  /// The integer toward zero, the nearest one beyond the range, 0 for NaN.
  static func truncated(_ number: Double) -> Int64 {
    if number.isNaN { return 0 }
    if number >= 0x1p63 { return .max }
    if number <= -0x1p63 { return .min }
    return Int64(number)
  }

  static func float(_ text: String) throws(EvaluationFailure) -> RulesValue {
    guard let number = javaNumber(text) else { throw .conversion(text, to: "float") }
    return .float(number)
  }

  /// Without the characters up to the blank at both ends.
  static func trimmed(_ text: String) -> String {
    let isVisible = { (byte: UInt8) in byte > 32 }
    guard let first = text.utf8.firstIndex(where: isVisible),
      let last = text.utf8.lastIndex(where: isVisible)
    else { return "" }
    return String(decoding: text.utf8[first...last], as: UTF8.self)
  }

  static func path(_ text: String) throws(EvaluationFailure) -> RulesValue {
    do throws(RulesPath.TextError) {
      return .path(try RulesPath(parsing: text))
    } catch {
      switch error {
      case .empty: throw EvaluationFailure("Empty Path Template is not allowed.")
      case .emptySegment:
        throw EvaluationFailure("Invalid Path Template \(text). Empty segment is not allowed.")
      }
    }
  }

  /// What Java reads as a number: blanks around it, a suffix `f` or `d`, hexadecimal with an exponent.
  private static func javaNumber(_ text: String) -> Double? {
    var bytes = Array(trimmed(text).utf8)
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative || bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
    let magnitude: Double?
    switch String(decoding: bytes, as: UTF8.self) {
    case "NaN": magnitude = .nan
    case "Infinity": magnitude = .infinity
    default:
      let isHexadecimal = bytes.starts(with: [48, 120]) || bytes.starts(with: [48, 88])
      if isHexadecimal, !bytes.contains(112), !bytes.contains(80) { return nil }
      if let last = bytes.last, [102, 70, 100, 68].contains(last) { bytes.removeLast() }
      guard let first = bytes.first, 48...57 ~= first || first == 46 else { return nil }
      let digits = String(decoding: bytes, as: UTF8.self)
      magnitude = isHexadecimal ? Double(digits) : decimal(digits)
    }
    return magnitude.map { isNegative ? -$0 : $0 }
  }

  /// A decimal number, which beyond the range is infinite or zero.
  private static func decimal(_ text: String) -> Double? {
    guard DecimalText(text.utf8.span) != nil else { return nil }
    let plain = (text.hasPrefix(".") ? "0" : "") + text
    return Double(plain) ?? Double(plain.hasSuffix(".") ? plain + "0" : plain.replacingPoint)
  }
}

extension String {
  /// `5.e3` as `5e3`, which Swift reads.
  fileprivate var replacingPoint: String {
    var text = self
    if let point = text.firstIndex(of: "."), let next = text[point...].dropFirst().first,
      next == "e" || next == "E"
    {
      text.remove(at: point)
    }
    return text
  }
}
