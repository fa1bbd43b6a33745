/// The character classes and small productions of RFC 9110 §5.6 and RFC 9112.
enum HTTP1Syntax {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20
  static let delete: UInt8 = 0x7F

  /// Bit n is set if n belongs to `token`: !#$%&'*+-.^_`|~ digits and letters.
  private static let tokenLow: UInt64 = 0x03FF_6CFA_0000_0000
  private static let tokenHigh: UInt64 = 0x57FF_FFFF_C7FF_FFFE

  static func isToken(_ byte: UInt8) -> Bool {
    guard byte < 0x80 else { return false }
    return ((byte < 64 ? tokenLow : tokenHigh) >> UInt64(byte & 63)) & 1 == 1
  }

  static func isToken(_ bytes: Span<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.indices.allSatisfy { isToken(bytes[$0]) }
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

  static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

  static func lowercased(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }

  static func hexValue(_ byte: UInt8) -> Int? {
    switch byte {
    case 0x30...0x39: Int(byte) - 0x30
    case 0x41...0x46: Int(byte) - 0x41 + 10
    case 0x61...0x66: Int(byte) - 0x61 + 10
    default: nil
    }
  }

  /// Whether the bytes are `text`, which is ASCII in lower case, whatever their case.
  static func matches(_ bytes: Span<UInt8>, _ text: StaticString) -> Bool {
    let expected = text.description.utf8
    guard bytes.count == expected.count else { return false }
    return zip(bytes.indices, expected).allSatisfy { lowercased(bytes[$0]) == $1 }
  }

  /// A host with an optional port. Not a comma, which would hide a second value, and no user.
  static func isAuthority(_ bytes: Span<UInt8>) -> Bool {
    bytes.indices.allSatisfy { index in
      switch bytes[index] {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"): true
      case UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "%"): true
      case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"): true
      case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"): true
      case UInt8(ascii: ";"), UInt8(ascii: "="): true
      default: false
      }
    }
  }
}
