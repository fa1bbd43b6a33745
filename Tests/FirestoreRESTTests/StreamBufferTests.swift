import Testing

@testable import FirestoreREST

@Suite struct StreamBufferTests {
  @Test("an empty array, as the official emulator writes it")
  func empty() {
    var buffer = StreamBuffer()
    #expect(String(decoding: buffer.end(), as: UTF8.self) == "[\n\n]\n")
  }

  @Test("elements are held back until there are enough, and stand apart")
  func pieces() {
    var buffer = StreamBuffer()
    buffer.add { $0 += "{}".utf8 }
    #expect(buffer.takePiece() == nil && !buffer.hasBegun)
    buffer.add { $0 += [UInt8](repeating: UInt8(ascii: "x"), count: StreamBuffer.size) }
    let piece = buffer.takePiece().map { String(decoding: $0.prefix(6), as: UTF8.self) }
    #expect(piece == "[\n{},\n" && buffer.hasBegun)
    buffer.add { $0 += "{}".utf8 }
    #expect(buffer.takePiece() == nil)
    #expect(String(decoding: buffer.end(), as: UTF8.self) == ",\n{}\n]\n")
  }
}
