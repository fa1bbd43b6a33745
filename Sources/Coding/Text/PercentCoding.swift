/// Percent coding of URLs (RFC 3986) and of forms (`application/x-www-form-urlencoded`).
package enum PercentCoding {
  /// What a segment of a path stands for, decoded once: a `%2F` gives a slash within it, a `+` is a plus.
  ///
  /// - Returns: `nil` for a `%` without two hexadecimal digits and for what is no UTF-8.
  package static func decode(_ text: String) -> String? {
    decode(text.utf8.span)
  }

  /// The same for bytes.
  package static func decode(_ text: Span<UInt8>) -> String? {
    decode(text, plusIsSpace: false)
  }

  /// The names and values of a query or form, in order; a name without `=` has an empty value, empty
  /// parts are passed over.
  ///
  /// - Returns: `nil` if any of them cannot be decoded.
  package static func decodeQuery(_ text: String) -> [(name: String, value: String)]? {
    decodeQuery(text.utf8.span)
  }

  /// The same for bytes.
  package static func decodeQuery(_ text: Span<UInt8>) -> [(name: String, value: String)]? {
    var pairs: [(name: String, value: String)] = []
    var start = 0
    while start < text.count {
      var (end, equals) = (start, nil as Int?)
      while end < text.count, text[end] != UInt8(ascii: "&") {
        if equals == nil, text[end] == UInt8(ascii: "=") { equals = end }
        end += 1
      }
      defer { start = end + 1 }
      guard start < end else { continue }
      let valueStart = equals.map { $0 + 1 } ?? end
      guard
        let name = decode(text.extracting(start..<(equals ?? end)), plusIsSpace: true),
        let value = decode(text.extracting(valueStart..<end), plusIsSpace: true)
      else { return nil }
      pairs.append((name, value))
    }
    return pairs
  }

  /// Appends what a name or a value of a form stands for to `target`, whatever its bytes mean.
  ///
  /// - Returns: `false`, with `target` in any state behind its old end, for a `%` without two hexadecimal digits.
  package static func decodeForm(_ text: Span<UInt8>, into target: inout [UInt8]) -> Bool {
    decode(text, plusIsSpace: true, into: &target)
  }

  /// `text` with every byte but letters, digits, `-`, `.`, `_` and `~` as an escape.
  package static func encode(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        bytes.append(byte)
      default:
        bytes.append(UInt8(ascii: "%"))
        for digit in [byte >> 4, byte & 15] {
          bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
        }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func decode(_ text: Span<UInt8>, plusIsSpace: Bool) -> String? {
    var isPlain = true
    for index in text.indices
    where text[index] == UInt8(ascii: "%") || (plusIsSpace && text[index] == UInt8(ascii: "+")) {
      isPlain = false
      break
    }
    if isPlain { return String(utf8: text) }
    var bytes: [UInt8] = []
    return decode(text, plusIsSpace: plusIsSpace, into: &bytes) ? String(utf8: bytes.span) : nil
  }

  private static func decode(
    _ text: Span<UInt8>, plusIsSpace: Bool, into target: inout [UInt8]
  ) -> Bool {
    target.reserveCapacity(target.count + text.count)
    var index = 0
    while index < text.count {
      let byte = text[index]
      index += 1
      guard byte == UInt8(ascii: "%") else {
        target.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
        continue
      }
      guard index + 1 < text.count, let high = hexadecimalDigit(text[index]),
        let low = hexadecimalDigit(text[index + 1])
      else { return false }
      target.append(high << 4 | low)
      index += 2
    }
    return true
  }
}
