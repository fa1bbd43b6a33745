import Coding
import Testing

@Suite struct JSONValueTests {
  @Test(
    "values come back as they were",
    arguments: [
      "null", "true", "[1,2.50,-3e10,\"x\"]", #"{"a":{"b":[]},"c":"\"é"}"#, "{}", "[]", "0",
    ])
  func roundTrip(text: String) throws {
    #expect(String(decoding: try JSONValue(Array(text.utf8)).bytes, as: UTF8.self) == text)
  }

  @Test("the last of two members counts, and names are bytes")
  func members() throws {
    let value = try JSONValue(Array("{\"é\":1,\"e\u{301}\":2,\"a\":3,\"a\":4}".utf8))
    #expect(value.members?.count == 3 && value.members?["a"] == .number("4"))
  }

  @Test("what is no JSON", arguments: ["", "{", "[1,]", "{}x", "tru"])
  func malformed(text: String) {
    #expect(throws: JSONError.self) { try JSONValue(Array(text.utf8)) }
  }

  @Test("depth is bounded")
  func depth() {
    let deep = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
    #expect(throws: JSONError.self) { try JSONValue(deep) }
  }
}
