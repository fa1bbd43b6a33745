/// Reads the fields of one protobuf message, front to back, without copying it.
///
/// Loop over `nextTag()`, switch over `tag.rawValue` (number and wire type together, so that a known
/// number of a wrong wire type counts as unknown), read the payload, and `skip` every other tag.
/// Every read throws `WireError` instead of leaving the bytes.
@usableFromInline
package struct ProtobufReader: ~Escapable {
  @usableFromInline let bytes: Span<UInt8>
  /// Where `bytes` begins in the outermost message; for errors only.
  @usableFromInline let base: Int
  /// How many messages or groups may still be opened within this one.
  @usableFromInline let depth: Int
  /// The index of the next byte.
  @usableFromInline package var offset: Int

  /// `depth` is the number of levels below this message that `readMessage` and `skip` go into.
  @inlinable
  @_lifetime(copy bytes)
  package init(_ bytes: Span<UInt8>, depth: Int = 100) {
    self.init(bytes, depth: depth, base: 0)
  }

  @inlinable
  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>, depth: Int, base: Int) {
    self.bytes = bytes
    self.depth = depth
    self.base = base
    self.offset = 0
  }

  @inlinable package var remaining: Int { bytes.count &- offset }

  @inlinable package var isAtEnd: Bool { offset >= bytes.count }

  @inlinable
  func failure(_ code: WireError.Code) -> WireError {
    WireError(code, at: base &+ offset)
  }
}

// MARK: - Payloads

extension ProtobufReader {
  /// The tag of the next field, `nil` at the end of the message.
  ///
  /// - Throws: `invalidTag`, `malformedVarint`, `truncated`.
  @inlinable
  package mutating func nextTag() throws(WireError) -> ProtobufTag? {
    guard offset < bytes.count else { return nil }
    let raw = try readVarint()
    guard raw >> 32 == 0, raw >> 3 != 0, raw & 7 < 6 else { throw failure(.invalidTag) }
    return ProtobufTag(rawValue: UInt32(truncatingIfNeeded: raw))
  }

  @inlinable
  package mutating func readVarint() throws(WireError) -> UInt64 {
    guard offset < bytes.count else { throw failure(.truncated) }
    let first = bytes[offset]
    offset &+= 1
    if first < 0x80 { return UInt64(first) }
    return try readLongVarint(first)
  }

  @usableFromInline
  mutating func readLongVarint(_ first: UInt8) throws(WireError) -> UInt64 {
    var value = UInt64(first & 0x7f)
    var shift: UInt64 = 7
    while shift < 64 {
      guard offset < bytes.count else { throw failure(.truncated) }
      let byte = bytes[offset]
      offset &+= 1
      value |= UInt64(byte & 0x7f) &<< shift
      if byte < 0x80 {
        guard shift < 63 || byte <= 1 else { throw failure(.malformedVarint) }
        return value
      }
      shift &+= 7
    }
    throw failure(.malformedVarint)
  }

  /// An `int32` or enum; of a longer varint the low 32 bits, as protobuf has it.
  @inlinable
  package mutating func readInt32() throws(WireError) -> Int32 {
    Int32(truncatingIfNeeded: try readVarint())
  }

  @inlinable
  package mutating func readInt64() throws(WireError) -> Int64 {
    Int64(bitPattern: try readVarint())
  }

  @inlinable
  package mutating func readBool() throws(WireError) -> Bool {
    try readVarint() != 0
  }

  @usableFromInline
  package mutating func readFixed32() throws(WireError) -> UInt32 {
    guard remaining >= 4 else { throw failure(.truncated) }
    var value: UInt32 = 0
    for index in 0..<4 { value |= UInt32(bytes[offset &+ index]) &<< UInt32(index &* 8) }
    offset &+= 4
    return value
  }

  @usableFromInline
  package mutating func readFixed64() throws(WireError) -> UInt64 {
    guard remaining >= 8 else { throw failure(.truncated) }
    var value: UInt64 = 0
    for index in 0..<8 { value |= UInt64(bytes[offset &+ index]) &<< UInt64(index &* 8) }
    offset &+= 8
    return value
  }

  @inlinable
  package mutating func readDouble() throws(WireError) -> Double {
    Double(bitPattern: try readFixed64())
  }

  @inlinable
  package mutating func readFloat() throws(WireError) -> Float {
    Float(bitPattern: try readFixed32())
  }

  /// The payload of a length-delimited field, not copied.
  @inlinable
  @_lifetime(copy self)
  package mutating func readSpan() throws(WireError) -> Span<UInt8> {
    let length = try readVarint()
    guard length <= UInt64(remaining) else { throw failure(.truncated) }
    let start = offset
    offset &+= Int(length)
    return bytes.extracting(start..<offset)
  }

  /// A reader of the message in a length-delimited field.
  ///
  /// - Throws: `tooDeep` where no level is left.
  @inlinable
  @_lifetime(copy self)
  package mutating func readMessage() throws(WireError) -> ProtobufReader {
    guard depth > 0 else { throw failure(.tooDeep) }
    let content = try readSpan()
    return ProtobufReader(content, depth: depth &- 1, base: base &+ offset &- content.count)
  }

  package mutating func readBytes() throws(WireError) -> [UInt8] {
    let content = try readSpan()
    return unsafe content.withUnsafeBufferPointer { buffer in unsafe Array(buffer) }
  }

  /// A string; only valid UTF-8 is one.
  package mutating func readString() throws(WireError) -> String {
    let start = offset
    let content = try readSpan()
    guard let string = String(utf8: content) else {
      throw WireError(.invalidUTF8, at: base &+ start)
    }
    return string
  }

  /// All that is left of the message.
  @inlinable
  @_lifetime(copy self)
  package mutating func readRest() -> Span<UInt8> {
    let start = offset
    offset = bytes.count
    return bytes.extracting(start..<offset)
  }

  /// The bytes from `start`, an earlier `offset`, up to the next byte: a field with its tag, for
  /// instance.
  @inlinable
  @_lifetime(copy self)
  package func bytes(from start: Int) -> Span<UInt8> {
    bytes.extracting(start..<offset)
  }
}

// MARK: - Unknown fields

extension ProtobufReader {
  /// Passes over the payload of `tag`, a group with all that is in it.
  ///
  /// - Throws: `tooDeep`, `truncated`, `invalidTag`.
  package mutating func skip(_ tag: ProtobufTag) throws(WireError) {
    try skip(tag, depth: depth)
  }

  private mutating func skip(_ tag: ProtobufTag, depth: Int) throws(WireError) {
    switch tag.wireType {
    case .varint: _ = try readVarint()
    case .fixed64: _ = try readFixed64()
    case .fixed32: _ = try readFixed32()
    case .lengthDelimited: _ = try readSpan()
    case .startGroup: try skipGroup(tag.number, depth: depth)
    case .endGroup, nil: throw failure(.invalidTag)
    }
  }

  private mutating func skipGroup(_ number: Int, depth: Int) throws(WireError) {
    guard depth > 0 else { throw failure(.tooDeep) }
    while let tag = try nextTag() {
      if tag.wireType == .endGroup {
        guard tag.number == number else { throw failure(.invalidTag) }
        return
      }
      try skip(tag, depth: depth - 1)
    }
    throw failure(.truncated)
  }
}
