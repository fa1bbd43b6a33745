/// Percent coding of URLs (RFC 3986) and of forms (`application/x-www-form-urlencoded`).
package enum PercentCoding {
  /// What a segment of a path stands for, decoded once: a `%2F` gives a slash within it, a `+` is a plus.
  ///
  /// - Returns: `nil` for a `%` without two hexadecimal digits and for what is no UTF-8.
  package static func decode(_ text: some StringProtocol) -> String? {
    text.utf8.contains(UInt8(ascii: "%")) ? decode(text.utf8, plusIsSpace: false) : String(text)
  }

  /// The same for a name or a value of a query or form, where a `+` is a space.
  package static func decodeForm(_ text: some StringProtocol) -> String? {
    decode(text.utf8, plusIsSpace: true)
  }

  /// The names and values of a query or form, in order; a name without `=` has an empty value, empty
  /// parts are passed over.
  ///
  /// - Returns: `nil` if any of them cannot be decoded.
  package static func decodeQuery(_ text: some StringProtocol) -> [(name: String, value: String)]? {
    var pairs: [(name: String, value: String)] = []
    for part in text.utf8.split(separator: UInt8(ascii: "&")) {
      let equals = part.firstIndex(of: UInt8(ascii: "="))
      let rest = equals.map { part[part.index(after: $0)...] }
      guard let name = decode(part[..<(equals ?? part.endIndex)], plusIsSpace: true),
        let value = rest.map({ decode($0, plusIsSpace: true) }) ?? ""
      else { return nil }
      pairs.append((name, value))
    }
    return pairs
  }

  /// `text` with every byte but letters, digits, `-`, `.`, `_` and `~` as an escape.
  package static func encode(_ text: some StringProtocol) -> String {
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

  private static func decode(_ text: some Collection<UInt8>, plusIsSpace: Bool) -> String? {
    var bytes: [UInt8] = []
    var iterator = text.makeIterator()
    while let byte = iterator.next() {
      if byte == UInt8(ascii: "%") {
        guard let high = iterator.next().flatMap(hexadecimalDigit),
          let low = iterator.next().flatMap(hexadecimalDigit)
        else { return nil }
        bytes.append(high << 4 | low)
      } else {
        bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
      }
    }
    return String(utf8: bytes.span)
  }
}
