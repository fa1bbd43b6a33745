/// Appends protobuf fields to bytes.
///
/// A nested message is written in place: `begin` leaves one byte for its length, `end` moves the message
/// up if the length needs more. Nothing is left out here: the caller decides which defaults go unwritten.
@usableFromInline
package struct ProtobufWriter: Sendable {
  @usableFromInline package var bytes: [UInt8]

  /// A writer that appends to `bytes`.
  @inlinable
  package init(_ bytes: [UInt8] = []) {
    self.bytes = bytes
  }

  @inlinable
  package mutating func appendVarint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest &>>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  @inlinable
  package mutating func appendTag(_ number: Int, _ wireType: ProtobufTag.WireType) {
    appendVarint(UInt64(ProtobufTag(number, wireType).rawValue))
  }

  /// Bytes as they are: whole fields that were encoded before.
  package mutating func append(_ content: Span<UInt8>) {
    unsafe content.withUnsafeBufferPointer { buffer in unsafe bytes.append(contentsOf: buffer) }
  }

  package mutating func append(_ content: [UInt8]) {
    bytes.append(contentsOf: content)
  }
}

// MARK: - Fields

extension ProtobufWriter {
  @inlinable
  package mutating func writeUInt64(_ number: Int, _ value: UInt64) {
    appendTag(number, .varint)
    appendVarint(value)
  }

  @inlinable
  package mutating func writeInt64(_ number: Int, _ value: Int64) {
    writeUInt64(number, UInt64(bitPattern: value))
  }

  /// An `int32` or enum; a negative one takes ten bytes, as protobuf has it.
  @inlinable
  package mutating func writeInt32(_ number: Int, _ value: Int32) {
    writeUInt64(number, UInt64(bitPattern: Int64(value)))
  }

  @inlinable
  package mutating func writeBool(_ number: Int, _ value: Bool) {
    writeUInt64(number, value ? 1 : 0)
  }

  @inlinable
  package mutating func writeDouble(_ number: Int, _ value: Double) {
    appendTag(number, .fixed64)
    appendFixed64(value.bitPattern)
  }

  @inlinable
  package mutating func writeFloat(_ number: Int, _ value: Float) {
    appendTag(number, .fixed32)
    var rest = value.bitPattern
    for _ in 0..<4 {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest &>>= 8
    }
  }

  @inlinable
  package mutating func appendFixed64(_ value: UInt64) {
    var rest = value
    for _ in 0..<8 {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest &>>= 8
    }
  }

  package mutating func writeString(_ number: Int, _ value: String) {
    let utf8 = value.utf8
    appendTag(number, .lengthDelimited)
    appendVarint(UInt64(utf8.count))
    bytes.append(contentsOf: utf8)
  }

  package mutating func writeBytes(_ number: Int, _ value: [UInt8]) {
    writeBytes(number, value.span)
  }

  package mutating func writeBytes(_ number: Int, _ value: Span<UInt8>) {
    appendTag(number, .lengthDelimited)
    appendVarint(UInt64(value.count))
    append(value)
  }

  /// Opens a nested message in field `number`; hand the result to `end` after its fields.
  @inlinable
  package mutating func begin(_ number: Int) -> Int {
    appendTag(number, .lengthDelimited)
    bytes.append(0)
    return bytes.count
  }

  /// Closes the message that `begin` opened.
  @inlinable
  package mutating func end(_ start: Int) {
    let length = bytes.count &- start
    if length < 0x80 {
      bytes[start &- 1] = UInt8(truncatingIfNeeded: length)
    } else {
      closeLong(start, length)
    }
  }

  @usableFromInline
  mutating func closeLong(_ start: Int, _ length: Int) {
    var head = ProtobufWriter()
    head.appendVarint(UInt64(length))
    bytes.replaceSubrange((start &- 1)..<start, with: head.bytes)
  }

  /// A nested message in field `number`, of the fields that `body` writes.
  @inlinable
  package mutating func writeMessage<Failure: Error>(
    _ number: Int, _ body: (inout ProtobufWriter) throws(Failure) -> Void
  ) throws(Failure) {
    let start = begin(number)
    try body(&self)
    end(start)
  }
}
