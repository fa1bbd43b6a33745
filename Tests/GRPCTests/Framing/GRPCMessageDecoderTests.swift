import Testing

@testable import GRPC

@Suite struct GRPCMessageDecoderTests {
  static let messages: [[UInt8]] = [[1, 2, 3], [], [4], [UInt8](repeating: 5, count: 300)]
  static let input = messages.flatMap { GRPCMessageDecoder.encode($0) }

  private func decode(_ pieces: [[UInt8]]) throws -> [[UInt8]] {
    var decoder = GRPCMessageDecoder(limit: 300)
    var messages: [[UInt8]] = []
    for piece in pieces {
      decoder.append(piece)
      while let message = try decoder.next() { messages.append(message) }
    }
    try decoder.finish()
    return messages
  }

  @Test func whole() throws {
    #expect(try decode([Self.input]) == Self.messages)
  }

  @Test func byteByByte() throws {
    #expect(try decode(Self.input.map { [$0] }) == Self.messages)
  }

  @Test(arguments: 0...GRPCMessageDecoderTests.input.count)
  func cut(at offset: Int) throws {
    #expect(
      try decode([Array(Self.input[..<offset]), Array(Self.input[offset...])]) == Self.messages)
  }

  @Test(arguments: 1..<8) func truncated(to count: Int) throws {
    var decoder = GRPCMessageDecoder(limit: 300)
    decoder.append(Array(Self.input[..<count]))
    #expect(try decoder.next() == nil || count == 8)
    let decoded = decoder
    #expect(throws: GRPCStatus.self) { try decoded.finish() }
  }

  @Test func compressesLongMessages() throws {
    var decoder = GRPCMessageDecoder(limit: 2000, encoding: .gzip)
    for message in [[], [1], [UInt8](repeating: 7, count: 2000)] as [[UInt8]] {
      let bytes = GRPCMessageDecoder.encode(message, .gzip)
      #expect(bytes[0] == (message.count >= 1024 ? 1 : 0))
      decoder.append(bytes)
      #expect(try decoder.next() == message)
    }
  }

  @Test func prefix() {
    #expect(
      GRPCMessageDecoder.encode([UInt8](repeating: 0, count: 258)).prefix(5) == [0, 0, 0, 1, 2])
  }
}

@Suite struct GRPCTimeoutTests {
  static let samples: [(String, Duration)] = [
    ("1H", .seconds(3_600)), ("2M", .seconds(120)), ("3S", .seconds(3)), ("4m", .milliseconds(4)),
    ("5u", .microseconds(5)), ("6n", .nanoseconds(6)), ("99999999H", .seconds(359_999_996_400)),
    ("00000001S", .seconds(1)),
  ]

  @Test(arguments: GRPCTimeoutTests.samples.indices) func valid(_ index: Int) {
    #expect(GRPCTimeout.parse(Self.samples[index].0) == Self.samples[index].1)
  }

  @Test(arguments: ["", "S", "1", "1s", "-1S", "1.5S", "123456789S", "١S", "1 S"])
  func invalid(_ text: String) {
    #expect(GRPCTimeout.parse(text) == nil)
  }
}
