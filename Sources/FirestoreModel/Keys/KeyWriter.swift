package import Coding

/// Appends parts of keys whose bytes sort as the parts do. Every part ends by itself, so that parts can follow one
/// another.
///
/// ```
/// text     each byte, 00 as 01 01 and 01 as 01 02, then 00
/// id       01 and eight bytes of the number, or 02 and the id as text
/// integer  eight bytes, big end first, the sign bit turned
/// double   eight bytes, big end first, the sign bit turned, of negative numbers all bits; -0.0 as 0.0, NaN as 0
/// ```
package struct KeyWriter: Sendable {
  package private(set) var bytes: [UInt8]

  package init(_ bytes: [UInt8] = []) {
    self.bytes = bytes
  }

  /// An empty key with room for so many bytes.
  init(capacity: Int) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  package mutating func byte(_ byte: UInt8) {
    bytes.append(byte)
  }

  package mutating func text(_ text: UTF8String) {
    escaped(text.utf8.span)
  }

  package mutating func bytes(_ content: [UInt8]) {
    escaped(content.span)
  }

  /// The id of a document.
  package mutating func documentID(_ id: UTF8String) {
    if let number = ResourceID.number(id) {
      bytes.append(Self.number)
      integer(number)
    } else {
      bytes.append(Self.string)
      text(id)
    }
  }

  package mutating func integer(_ value: Int64) {
    unsigned(UInt64(bitPattern: value) ^ 1 << 63)
  }

  package mutating func double(_ value: Double) {
    guard !value.isNaN else { return unsigned(0) }
    let bits = (value == 0 ? 0.0 : value).bitPattern
    unsigned(bits >> 63 == 0 ? bits | 1 << 63 : ~bits)
  }

  package mutating func unsigned(_ value: UInt64) {
    bytes.append(addingCapacity: 8) { output in
      var shift: UInt64 = 64
      while shift > 0 {
        shift &-= 8
        output.append(UInt8(truncatingIfNeeded: value &>> shift))
      }
    }
  }

  /// A number of few bytes: how many there are, then those bytes, big end first.
  package mutating func compact(_ value: UInt64) {
    let count = 8 - value.leadingZeroBitCount / 8
    bytes.append(UInt8(count))
    for index in stride(from: count - 1, through: 0, by: -1) {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index)))
    }
  }

  private mutating func escaped(_ content: Span<UInt8>) {
    var escapes = 0
    for index in content.indices where content[index] <= 1 { escapes += 1 }
    bytes.append(addingCapacity: content.count + escapes + 1) { output in
      if escapes == 0 {
        output.append(content)
      } else {
        for index in content.indices {
          let byte = content[index]
          if byte <= 1 { output.append(1) }
          output.append(byte <= 1 ? byte + 1 : byte)
        }
      }
      output.append(0)
    }
  }

  /// First byte of a numeric id.
  static let number: UInt8 = 1
  /// First byte of any other id.
  static let string: UInt8 = 2
}

/// Reads what `KeyWriter` wrote. Every method gives `nil` where the bytes are something else.
package struct KeyReader: Sendable {
  private let bytes: [UInt8]
  /// Where the next part begins.
  package private(set) var offset: Int
  private let end: Int

  /// Reads from `offset` to `end`, or to the end of the bytes.
  package init(_ bytes: [UInt8], from offset: Int = 0, to end: Int? = nil) {
    self.bytes = bytes
    self.offset = offset
    self.end = min(end ?? bytes.count, bytes.count)
  }

  package var isAtEnd: Bool { offset >= end }

  package mutating func byte() -> UInt8? {
    guard offset < end else { return nil }
    defer { offset += 1 }
    return bytes[offset]
  }

  package mutating func text() -> UTF8String? {
    var index = offset
    while index < end, bytes[index] > 1 { index += 1 }
    guard index < end, bytes[index] == 0 else {
      return content().map { UTF8String(String(decoding: $0, as: UTF8.self)) }
    }
    defer { offset = index + 1 }
    return UTF8String(String(decoding: bytes[offset..<index], as: UTF8.self))
  }

  /// What `KeyWriter.bytes` or `text` wrote.
  package mutating func content() -> [UInt8]? {
    var content: [UInt8] = []
    while let byte = byte() {
      switch byte {
      case 0: return content
      case 1:
        guard let escaped = self.byte(), escaped == 1 || escaped == 2 else { return nil }
        content.append(escaped - 1)
      default: content.append(byte)
      }
    }
    return nil
  }

  package mutating func documentID() -> UTF8String? {
    switch byte() {
    case KeyWriter.number: integer().map(ResourceID.id(of:))
    case KeyWriter.string: text()
    case nil, .some: nil
    }
  }

  package mutating func integer() -> Int64? {
    unsigned(count: 8).map { Int64(bitPattern: $0 ^ 1 << 63) }
  }

  package mutating func unsigned() -> UInt64? {
    unsigned(count: 8)
  }

  package mutating func compact() -> UInt64? {
    guard let count = byte(), count <= 8 else { return nil }
    return unsigned(count: Int(count))
  }

  private mutating func unsigned(count: Int) -> UInt64? {
    guard offset + count <= end else { return nil }
    var value: UInt64 = 0
    for _ in 0..<count {
      value = value << 8 | UInt64(bytes[offset])
      offset += 1
    }
    return value
  }
}

/// Where keys that begin alike end.
package enum KeyPrefix {
  /// The first key behind all that begin with `prefix`; `nil` if there is none.
  package static func end(of prefix: [UInt8]) -> [UInt8]? {
    guard let last = prefix.lastIndex(where: { $0 < 0xff }) else { return nil }
    var end = Array(prefix[...last])
    end[last] += 1
    return end
  }

  /// The first key behind `key`.
  package static func next(after key: [UInt8]) -> [UInt8] {
    key + [0]
  }
}
