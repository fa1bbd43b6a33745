import Foundation
import Testing

/// The player itself: what it reads, what it takes for equal, what it gives names to.
@Suite("Player")
struct PlayerTests {
  private func json(_ text: String) -> JSON? { JSONReader.read(Array(text.utf8)) }

  @Test(arguments: [
    ("1", "1.0", true), ("1e3", "1000", true), ("9007199254740993", "9007199254740992", false),
    (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, true), ("[1,2]", "[2,1]", false),
    (#""\u00e9""#, #""e\u0301""#, false), (#""\ud83d\ude00""#, "\"😀\"", true), ("true", "1", false),
    (#"{"a":null}"#, "{}", false),
  ])
  func equality(_ a: String, _ b: String, equal: Bool) throws {
    let (a, b) = (try #require(json(a)), try #require(json(b)))
    #expect((a == b) == equal)
  }

  @Test(arguments: ["", "{", "[1,]", "tru", #"{"a" 1}"#, "1 2", #""a"#, #""\u12"#, "-"])
  func notJSON(_ text: String) {
    let read = json(text)
    #expect(read == nil)
  }

  @Test func textIsReadBack() throws {
    let text = #"{"a": [1e3, -0.0, "x\n\"\\", null], "b": {"é": false}}"#
    #expect(try #require(json(text)).text == text)
  }

  @Test func names() throws {
    var normalise = Normaliser(project: "demo-abc123def456")
    normalise.sent(Array(#"{"name": "c/AAAAAAAAAAAAAAAAAAAA"}"#.utf8))
    let now = ISO8601DateFormatter().string(from: Date())
    let micros = UInt64(Date().timeIntervalSince1970 * 1e6)
    let answer = """
      {"name": "projects/demo-abc123def456/databases/(default)/documents/c/BBBBBBBBBBBBBBBBBBBB",
       "sent": "c/AAAAAAAAAAAAAAAAAAAA", "a": "\(now)", "b": "\(now)", "readTime": "\(now)",
       "old": "2001-01-01T00:00:00Z", "transaction": "abc", "m": "version (\(micros))",
       "run": "\(String(repeating: "é", count: 100))", "zero": -0.0}
      """
    let expected = """
      {"name": "{db}/documents/c/{id1}", "sent": "c/AAAAAAAAAAAAAAAAAAAA", "a": "{t1}", "b": "{t1}",
       "readTime": "{read}", "old": "2001-01-01T00:00:00Z", "transaction": "{token}",
       "m": "version ({micros})", "run": "{repeat:é:100}", "zero": "{minus zero}"}
      """
    let normalised = normalise(try #require(json(answer)))
    #expect(normalised == json(expected), "\(normalised.text)")
  }

  @Test func placeholders() {
    var placeholders = Placeholders(project: "demo-1")
    placeholders.captured["t"] = "a b/\"c\""
    let filled = placeholders.fill("{project} {t} {repeat:é:3} {other}", quoting: JSON.escaped)
    #expect(String(decoding: filled, as: UTF8.self) == #"demo-1 a b/\"c\" ééé {other}"#)
    let path = placeholders.fill("/v1/{db}/x?t={t}", quoting: Placeholders.percentEncoded)
    #expect(
      String(decoding: path, as: UTF8.self)
        == "/v1/projects/demo-1/databases/(default)/x?t=a%20b/%22c%22")
  }

  @Test(arguments: [
    (
      "no entity to update: app: \"dev~{project}\"\npath <\n  Element {\n    type: \"c\"\n    name: \"a\"\n  }\n>\n",
      "No document to update: {db}/documents/c/a"
    ),
    (
      "entity already exists: EntityRef{partitionRef=dev~{project}, path=/c/a}",
      "Document already exists: {db}/documents/c/a"
    ), ("limit is negative", "limit is negative"),
  ])
  func messages(recorded: String, ours: String) {
    #expect(MessageTexts.expected(for: recorded) == ours)
  }
}
