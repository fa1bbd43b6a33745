import Coding
import HibachiTesting
import Testing

@Suite struct TextCodingTests {
  @Test(arguments: ["", "a", "é", "€", "😀", "e\u{301}", "a😀é\u{0}\u{ffff}\u{10ffff}"])
  func lengthInUTF16(text: String) {
    #expect(UTF16Length.count(text.utf8.span) == text.utf16.count)
  }

  @Test(arguments: [
    ("", "" as String?), ("a+b%20c%C3%A9", "a b cé"), ("%", nil), ("%4", nil), ("%4g", nil),
    ("%%41", nil),
  ])
  func bytesOfForms(text: String, expected: String?) {
    var bytes: [UInt8] = []
    let isForm = PercentCoding.decodeForm(text.utf8.span, into: &bytes)
    #expect((isForm ? String(decoding: bytes, as: UTF8.self) : nil) == expected)
  }

  @Test(arguments: [
    ("", [] as [UInt8]), ("AA==", [0]), ("AAEC", [0, 1, 2]), ("/+8=", [255, 239]), ("YQ==", [97]),
  ])
  func base64HasPadding(text: String, bytes: [UInt8]) {
    #expect(Base64.encode(bytes) == text)
    #expect(Base64.decode(text) == bytes)
  }

  @Test(
    arguments: [("_-8", [255, 239]), ("/+8", [255, 239]), ("YR==", [97]), ("YQ", [97])]
      as [(String, [UInt8])])
  func base64IsReadWithoutPaddingAndFromBothAlphabets(text: String, bytes: [UInt8]) {
    #expect(Base64.decode(text) == bytes)
  }

  @Test(arguments: ["!!", "YW Jj", "A", "AAAAA", "=", "====", "A===", "AA=A", "YQ===", "YQ=", "é"])
  func otherTextIsNoBase64(text: String) {
    #expect(Base64.decode(text) == nil)
  }

  @Test(arguments: 0..<100)
  func base64RoundTrips(seed: Int) {
    var generator = SeededGenerator(seed: seed)
    let bytes = generator.bytes(upTo: 100)
    #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    let urlSafe = Base64.encode(bytes, alphabet: .urlSafe)
    #expect(!urlSafe.contains { "+/=".contains($0) } && Base64.decode(urlSafe) == bytes)
    _ = Base64.decode(String(decoding: generator.bytes(upTo: 20), as: UTF8.self))
  }

  @Test(arguments: [
    ("%28default%29", "(default)"), ("a%2Fb", "a/b"), ("a+b", "a+b"), ("%c3%A9", "é"),
    ("%2525", "%25"), ("", ""),
  ])
  func segmentsAreDecodedOnce(text: String, result: String) {
    #expect(PercentCoding.decode(text) == result)
  }

  @Test(arguments: ["%", "%2", "%zz", "%ff", "a%c3", "%+1"])
  func brokenEscapesAreRefused(text: String) {
    #expect(PercentCoding.decode(text) == nil)
    #expect(PercentCoding.decodeQuery("a=\(text)") == nil)
  }

  @Test func queriesAreTakenApart() throws {
    let pairs = try #require(PercentCoding.decodeQuery("a=1&b=x+y%20z&&a=2&flag&e==&%C3%A9="))
    #expect(pairs.map(\.name) == ["a", "b", "a", "flag", "e", "é"])
    #expect(pairs.map(\.value) == ["1", "x y z", "2", "", "=", ""])
  }

  @Test func encodingEscapesWhatIsNotUnreserved() {
    #expect(PercentCoding.encode("a-._~é /+%") == "a-._~%C3%A9%20%2F%2B%25")
  }
}
