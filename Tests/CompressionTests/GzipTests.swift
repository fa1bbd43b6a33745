import Compression
import HibachiTesting
import Testing

@Suite struct GzipTests {
  /// Everything that comes out, the input being given in pieces.
  private func inflate(_ pieces: [[UInt8]]) throws(CompressionError) -> [UInt8] {
    var inflater = GzipInflater()
    var output: [UInt8] = []
    for piece in pieces {
      inflater.append(piece)
      while let more = try inflater.next() { output += more }
    }
    try inflater.finish()
    return output
  }

  private func sample(_ seed: Int) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    let words = (0..<50).map { _ in random.bytes(upTo: 20) }
    return (0..<random.int(0...3_000)).flatMap { _ in words[random.int(0...49)] }
  }

  @Test(arguments: 0..<50) func wholeAndThere(seed: Int) throws {
    let bytes = sample(seed)
    let compressed = GzipDeflater.deflate(bytes)
    #expect(compressed.starts(with: [0x1f, 0x8b]))
    #expect(try GzipInflater.inflate(compressed, upTo: bytes.count) == bytes)
    if !bytes.isEmpty {
      #expect(throws: CompressionError(.tooLarge)) {
        try GzipInflater.inflate(compressed, upTo: bytes.count - 1)
      }
    }
  }

  static let text = Array("The quick brown fox jumps over the lazy dog, and again: the dog.".utf8)
  static let compressed = GzipDeflater.deflate(text)

  @Test(arguments: 0...GzipTests.compressed.count) func cut(at offset: Int) throws {
    let pieces = [Array(Self.compressed[..<offset]), Array(Self.compressed[offset...])]
    #expect(try inflate(pieces) == Self.text)
    if (1..<Self.compressed.count).contains(offset) {
      #expect(throws: CompressionError(.malformed)) { try inflate([pieces[0]]) }
    }
  }

  @Test func byteByByte() throws {
    #expect(try inflate(Self.compressed.map { [$0] }) == Self.text)
  }

  @Test func severalMembers() throws {
    let both = Self.compressed + Self.compressed
    #expect(try inflate([both]) == Self.text + Self.text)
    #expect(try inflate(both.map { [$0] }) == Self.text + Self.text)
    #expect(throws: CompressionError(.malformed)) { try inflate([Self.compressed + [1, 2, 3]]) }
  }

  @Test func flushedPiecesAreReadable() throws {
    var deflater = GzipDeflater()
    var inflater = GzipInflater()
    for seed in 0..<20 {
      let bytes = sample(seed)
      inflater.append(deflater.deflate(bytes, .flush))
      var output: [UInt8] = []
      while let piece = try inflater.next() { output += piece }
      #expect(output == bytes)
    }
    inflater.append(deflater.deflate([], .finish))
    #expect(try inflater.next() == nil)
    try inflater.finish()
  }

  @Test(arguments: 0..<300) func mutated(seed: Int) {
    var random = SeededGenerator(seed: seed)
    // Either the text or an error: the checksum sees to it.
    let output = try? inflate([random.mutated(Self.compressed)])
    #expect(output == nil || output == [] || output == Self.text)
  }

  @Test func aBombGivesNoMoreThanIsTaken() throws {
    let bomb = GzipDeflater.deflate([UInt8](repeating: 0, count: 20 << 20))
    #expect(bomb.count < 200_000)
    var inflater = GzipInflater()
    inflater.append(bomb)
    #expect(try inflater.next()?.count == 64 << 10)
  }
}
