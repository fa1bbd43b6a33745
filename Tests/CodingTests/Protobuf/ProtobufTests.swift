import Coding
import HibachiTesting
import Testing

@Suite struct ProtobufTests {
  @Test(
    arguments: [
      (0, [0]), (1, [1]), (127, [127]), (128, [128, 1]), (300, [172, 2]),
      (UInt64.max, [255, 255, 255, 255, 255, 255, 255, 255, 255, 1]),
    ] as [(UInt64, [UInt8])])
  func varintsHaveTheirShortestForm(value: UInt64, bytes: [UInt8]) throws {
    var writer = ProtobufWriter()
    writer.appendVarint(value)
    #expect(writer.bytes == bytes)
    var reader = ProtobufReader(bytes.span)
    let read = try reader.readVarint()
    #expect(read == value)
  }

  private static func sample(_ generator: inout SeededGenerator) -> [UInt8] {
    var writer = ProtobufWriter()
    writer.writeInt64(1, .random(in: .min ... .max, using: &generator))
    writer.writeInt32(2, -1)
    writer.writeDouble(3, -0.0)
    writer.writeString(4, "é\u{1f600}")
    writer.writeMessage(5) { writer in
      writer.writeBytes(1, generator.bytes(upTo: 300))
      writer.writeMessage(2) { $0.writeBool(1, true) }
    }
    writer.writeFloat(600, 1.5)
    return writer.bytes
  }

  @Test(arguments: 0..<50)
  func whatIsWrittenIsRead(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    let bytes = Self.sample(&generator)
    generator = SeededGenerator(seed: seed)
    var reader = ProtobufReader(bytes.span)
    var numbers: [Int] = []
    while let tag = try reader.nextTag() {
      numbers.append(tag.number)
      switch tag.number {
      case 1:
        let value = try reader.readInt64()
        #expect(value == .random(in: .min ... .max, using: &generator))
      case 2:
        let value = try reader.readInt32()
        #expect(value == -1)
      case 3:
        let value = try reader.readDouble()
        #expect(value.sign == .minus && value == 0)
      case 4:
        let value = try reader.readString()
        #expect(value.utf8.elementsEqual("é\u{1f600}".utf8))
      case 5:
        var inner = try reader.readMessage()
        _ = try inner.nextTag()
        let value = try inner.readBytes()
        #expect(value == generator.bytes(upTo: 300))
        let tag = try inner.nextTag()
        #expect(tag == ProtobufTag(2, .lengthDelimited))
      default:
        let value = try reader.readFloat()
        #expect(value == 1.5)
      }
    }
    #expect(numbers == [1, 2, 3, 4, 5, 600])
  }

  /// Reads fields to the end, going into everything that may be a message.
  private static func walk(_ message: consuming ProtobufReader) throws(WireError) {
    var reader = message
    while let tag = try reader.nextTag() {
      if tag.wireType == .lengthDelimited, tag.number % 2 == 0 {
        try walk(reader.readMessage())
      } else {
        try reader.skip(tag)
      }
    }
  }

  @Test(arguments: 0..<500)
  func noBytesTrap(seed: Int) {
    var generator = SeededGenerator(seed: seed)
    let bytes =
      seed % 2 == 0
      ? generator.bytes(upTo: 100) : generator.mutated(Self.sample(&generator))
    try? Self.walk(ProtobufReader(bytes.span))
  }

  @Test func everyTruncationThrowsOrEndsBetweenFields() {
    var generator = SeededGenerator(seed: 7)
    let bytes = Self.sample(&generator)
    var ends = 0
    for count in bytes.indices {
      do {
        var reader = ProtobufReader(bytes.span.extracting(0..<count))
        while let tag = try reader.nextTag() { try reader.skip(tag) }
        ends += 1
      } catch {
        #expect(error.code == .truncated)
      }
    }
    #expect(ends == 6)
  }

  @Test(
    arguments: [
      ([0x00], .invalidTag), ([0x0e], .invalidTag), ([0x0f], .invalidTag), ([0x0c], .invalidTag),
      ([0x0b], .truncated), ([0x0b, 0x14], .invalidTag), ([0x0a, 0x05], .truncated),
      ([0x0d, 1, 2, 3], .truncated), ([0x80], .truncated),
      ([0x08] + Array(repeating: 0xff, count: 9) + [0x02], .malformedVarint),
      ([0x08] + Array(repeating: 0xff, count: 11), .malformedVarint),
      (Array(repeating: 0x0b, count: 101), .tooDeep),
      ([0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], .truncated),
    ] as [([UInt8], WireError.Code)])
  func malformedBytesAreRefused(bytes: [UInt8], code: WireError.Code) {
    let error = #expect(throws: WireError.self) {
      var reader = ProtobufReader(bytes.span)
      while let tag = try reader.nextTag() { try reader.skip(tag) }
    }
    #expect(error?.code == code)
  }

  @Test func groupsAreSkipped() throws {
    let bytes: [UInt8] = [0x0b, 0x10, 0x01, 0x1b, 0x1c, 0x0c, 0x28, 0x07]
    var reader = ProtobufReader(bytes.span)
    let group = try #require(try reader.nextTag())
    try reader.skip(group)
    let tag = try reader.nextTag()
    #expect(tag == ProtobufTag(5, .varint))
  }

  @Test(
    arguments: [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]] as [[UInt8]])
  func stringsAreValidUTF8(bytes: [UInt8]) {
    var writer = ProtobufWriter()
    writer.writeBytes(1, bytes)
    let encoded = writer.bytes
    let error = #expect(throws: WireError.self) {
      var reader = ProtobufReader(encoded.span)
      _ = try reader.nextTag()
      _ = try reader.readString()
    }
    #expect(error == WireError(.invalidUTF8, at: 1))
  }
}
