internal import CCrypto

/// A key that signatures of RSASSA-PKCS1-v1_5 with SHA-256 are checked by (RFC 8017 §8.2.2). Nothing secret is computed with.
package struct RSAPublicKey: Hashable, Sendable {
  /// What stands before the hash: it is one of SHA-256.
  private static let digestPrefix: [UInt8] = [
    0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05,
    0x00, 0x04, 0x20,
  ]
  private static let sizes = 128...2048

  private let modulus: [UInt8]
  private let exponent: [UInt8]

  /// The public part of a key in PEM: private (PKCS #8 or PKCS #1) or public; `nil` for what is none.
  package init?(pem: String) {
    let lines = pem.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }
    guard let bytes = Base64.decode(lines.joined()) else { return nil }
    var outer = DERReader(bytes)
    guard var key = outer.read(.sequence) else { return nil }
    var numbers: [[UInt8]] = []
    while numbers.count < 3, let (tag, content) = key.next() {
      switch tag {
      case .integer: numbers.append(Array(content.drop { $0 == 0 }))
      // PKCS #8 has the key within; of a public one the first byte says that no bit is left over.
      case .octets, .bits:
        var inner = DERReader(Array(tag == .bits ? content.dropFirst() : content))
        guard let next = inner.read(.sequence) else { return nil }
        (key, numbers) = (next, [])
      case .sequence: break
      case .other: return nil
      }
    }
    // A private key begins with its version, which is 0.
    if numbers.first?.isEmpty ?? false { numbers.removeFirst() }
    guard numbers.count >= 2, Self.sizes ~= numbers[0].count, !numbers[1].isEmpty else {
      return nil
    }
    (modulus, exponent) = (numbers[0], numbers[1])
  }

  /// Whether `signature` is that of `message`.
  package func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    guard signature.count == modulus.count else { return false }
    let digest = Self.digestPrefix + SHA256.digest(message)
    guard modulus.count >= digest.count + 11 else { return false }
    let padding = [UInt8](repeating: 0xff, count: modulus.count - digest.count - 3)
    return raised(signature) == [0, 1] + padding + [0] + digest
  }

  /// The number to the exponent, as many bytes as the modulus; `nil` if memory is short.
  private func raised(_ number: [UInt8]) -> [UInt8]? {
    var result = [UInt8](repeating: 0, count: modulus.count)
    let context = unsafe BN_CTX_new()
    let base = unsafe BN_bin2bn(number, Int32(number.count), nil)
    let power = unsafe BN_bin2bn(exponent, Int32(exponent.count), nil)
    let limit = unsafe BN_bin2bn(modulus, Int32(modulus.count), nil)
    let value = unsafe BN_new()
    defer {
      unsafe BN_free(base)
      unsafe BN_free(power)
      unsafe BN_free(limit)
      unsafe BN_free(value)
      unsafe BN_CTX_free(context)
    }
    guard unsafe BN_mod_exp(value, base, power, limit, context) == 1,
      unsafe BN_bn2binpad(value, &result, Int32(result.count)) == Int32(result.count)
    else { return nil }
    return result
  }
}

/// Reads elements of DER (X.690), one behind the other.
private struct DERReader {
  enum Tag {
    case integer, bits, octets, sequence, other

    init(_ byte: UInt8) {
      self =
        switch byte {
        case 0x02: .integer
        case 0x03: .bits
        case 0x04: .octets
        case 0x30: .sequence
        default: .other
        }
    }
  }

  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    rest = bytes[...]
  }

  /// The next element; `nil` at the end, and for what is cut off.
  mutating func next() -> (tag: Tag, content: ArraySlice<UInt8>)? {
    guard let tag = rest.popFirst(), let first = rest.popFirst() else { return nil }
    var length = Int(first)
    if first >= 0x80 {
      guard 1...4 ~= first & 0x7f else { return nil }
      length = 0
      for _ in 0..<(first & 0x7f) {
        guard let byte = rest.popFirst() else { return nil }
        length = length << 8 | Int(byte)
      }
    }
    guard length <= rest.count else { return nil }
    defer { rest = rest.dropFirst(length) }
    return (Tag(tag), rest.prefix(length))
  }

  /// What is in the next element, which must be of a tag.
  mutating func read(_ tag: Tag) -> DERReader? {
    guard let (found, content) = next(), found == tag else { return nil }
    return DERReader(Array(content))
  }
}
