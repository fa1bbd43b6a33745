/// Base64 (RFC 4648), both alphabets.
package enum Base64 {
  package enum Alphabet: Sendable {
    /// `+` and `/`, padded.
    case standard
    /// `-` and `_`, without padding.
    case urlSafe
  }

  /// Appends the text of `bytes` to `target`.
  package static func encode(
    _ bytes: Span<UInt8>, alphabet: Alphabet = .standard, into target: inout [UInt8]
  ) {
    target.reserveCapacity(target.count + (bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let count = min(3, bytes.count - index)
      var group = UInt32(bytes[index]) << 16
      if count > 1 { group |= UInt32(bytes[index + 1]) << 8 }
      if count > 2 { group |= UInt32(bytes[index + 2]) }
      for position in 0...count {
        target.append(digit(UInt8(group >> UInt32(18 - 6 * position) & 63), alphabet))
      }
      if case .standard = alphabet {
        for _ in count..<3 { target.append(UInt8(ascii: "=")) }
      }
      index += 3
    }
  }

  package static func encode(_ bytes: [UInt8], alphabet: Alphabet = .standard) -> String {
    var text: [UInt8] = []
    encode(bytes.span, alphabet: alphabet, into: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the bytes that `text` stands for: either alphabet, padded or not; bits beyond the last byte are dropped.
  ///
  /// - Returns: `false`, with `target` in any state behind its old end, if `text` is no base64.
  package static func decode(_ text: Span<UInt8>, into target: inout [UInt8]) -> Bool {
    var end = text.count
    if end % 4 == 0 {
      while end > 0, end > text.count - 2, text[end - 1] == UInt8(ascii: "=") { end -= 1 }
    }
    guard end % 4 != 1 else { return false }
    target.reserveCapacity(target.count + end / 4 * 3 + 2)
    var group: UInt32 = 0
    var bits = 0
    for index in 0..<end {
      guard let value = value(text[index]) else { return false }
      group = group << 6 | UInt32(value)
      bits += 6
      if bits >= 8 {
        bits -= 8
        target.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
      }
    }
    return true
  }

  /// The bytes that `text` stands for; `nil` if it is no base64.
  package static func decode(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    return decode(text.utf8.span, into: &bytes) ? bytes : nil
  }

  private static func digit(_ value: UInt8, _ alphabet: Alphabet) -> UInt8 {
    switch (value, alphabet) {
    case (0..<26, _): UInt8(ascii: "A") + value
    case (26..<52, _): UInt8(ascii: "a") + value - 26
    case (52..<62, _): UInt8(ascii: "0") + value - 52
    case (62, .standard): UInt8(ascii: "+")
    case (62, .urlSafe): UInt8(ascii: "-")
    case (_, .standard): UInt8(ascii: "/")
    case (_, .urlSafe): UInt8(ascii: "_")
    }
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
