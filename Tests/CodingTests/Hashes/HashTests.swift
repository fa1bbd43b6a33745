import CPlatform
import Coding
import Testing

@Suite struct HashTests {
  struct Vector: CustomTestStringConvertible {
    var input: [UInt8]
    var crc32c: String
    var md5: String?

    init(_ input: [UInt8], _ crc32c: String, _ md5: String? = nil) {
      self.input = input
      self.crc32c = crc32c
      self.md5 = md5
    }

    var testDescription: String { crc32c }
  }

  static let vectors = [
    Vector([], "AAAAAA==", "1B2M2Y8AsgTpgAmY7PhCfg=="),
    Vector(Array("a".utf8), "wdBDMA==", "DMF1ucDxtqgxw5niaXcmYQ=="),
    Vector(Array("hello".utf8), "mnG7TA==", "XUFAKrxLKna5cZ2REBfFkg=="),
    Vector(Array("hello world".utf8), "yZRlqg==", "XrY7u+Ae7tCTyyK7j1rNww=="),
    Vector(Array("123456789".utf8), "4waSgw==", "JfnnlDI7RTiF9RgfG2JNCw=="),
    Vector(Array("日本語".utf8), "/aDtcA==", "ABEK+LQ5PvP3LFC+WzMr7A=="),
    Vector(
      Array("The quick brown fox jumps over the lazy dog".utf8), "ImIEBA==",
      "nhB9nTcrtoJr2B01QqQZ1g=="),
    Vector([UInt8](repeating: 0, count: 32), "ipE2qg=="),
    Vector([UInt8](repeating: 0xff, count: 32), "YqirQw=="),
    Vector(Array(0..<32), "Rt15Tg=="),
  ]

  @Test("known checksums, cut at each offset", arguments: vectors)
  func vector(_ vector: Vector) {
    for cut in 0...vector.input.count {
      var crc = CRC32C()
      var md5 = MD5()
      for part in [vector.input[..<cut], vector.input[cut...]] {
        crc.update(part.span)
        md5.update(part.span)
      }
      let bytes = (0..<4).map { UInt8(truncatingIfNeeded: crc.value >> (24 - 8 * $0)) }
      #expect(Base64.encode(bytes) == vector.crc32c)
      if let expected = vector.md5 { #expect(Base64.encode(md5.digest) == expected) }
    }
  }

  @Test("the tables say what the instruction says")
  func tables() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for count in 0..<64 {
      unsafe bytes.withUnsafeBytes {
        let one = unsafe cplatform_crc32c(7, $0.baseAddress, 900 + count)
        let other = unsafe cplatform_crc32c_tables(7, $0.baseAddress, 900 + count)
        #expect(one == other)
      }
    }
  }
}
