import Coding
import ObjectStorage
import Testing

@Suite struct GlobTests {
  @Test(
    "what patterns describe",
    arguments: [
      ("*", "a.txt", true), ("*", "a/b", false), ("**", "a/b", true), ("", "", true),
      ("", "a", false), ("**/*.txt", "a/b.txt", true), ("**/*.txt", "a/c/d.txt", true),
      ("**/*.txt", "e.md", false), ("**/a", "a", true), ("**/a", "b/c/a", true),
      ("**/a", "ba", false), ("x**/a", "x/a", true), ("x**/a", "xa", false),
      ("a/*.txt", "a/b.txt", true), ("a/*.txt", "a/c/d.txt", false),
      ("a?c", "abc", true), ("a?c", "a/c", false), ("a?c", "aéc", true), ("a?c", "abbc", false),
      ("[a-c]x", "bx", true), ("[!a-c]x", "bx", false), ("[!a-c]x", "dx", true),
      ("[]]", "]", true), ("[-a]", "-", true), ("{a,b{c,d}}", "bd", true),
      ("{a,b{c,d}}", "b", false), ("{,x}y", "y", true), (#"\*"#, "*", true), (#"\*"#, "a", false),
      (#"\{a,b}"#, "{a,b}", true), ("日*", "日本", true), ("*a*a*a*a*b", "aaaaaaaaaaaa", false),
    ])
  func matches(pattern: String, name: String, expected: Bool) throws {
    #expect(try Glob(UTF8String(pattern)).matches(name.utf8) == expected)
  }

  @Test("patterns that are none, or say too much", arguments: ["[a", "[z-a]", "{a", #"a\"#])
  func malformed(pattern: String) {
    #expect(throws: StorageError.self) { try Glob(UTF8String(pattern)) }
    #expect(throws: StorageError.self) {
      try Glob(UTF8String(String(repeating: "{a,b}", count: 100)))
    }
    #expect(throws: StorageError.self) { try Glob(UTF8String(String(repeating: "a", count: 3000))) }
  }

  @Test(
    "names of buckets",
    arguments: [
      ("abc", true), ("a-b_c.d", true), ("demo.appspot.com", true), ("ab", false), ("Abc", false),
      ("-abc", false), ("abc-", false), ("a..b", false), ("192.168.1.1", false), ("googabc", false),
      ("my-google-x", false), (String(repeating: "a", count: 64), false),
      (String(repeating: "a", count: 60) + "." + String(repeating: "b", count: 60), true),
      ("b\u{e9}b", false),
    ])
  func buckets(name: String, isValid: Bool) {
    #expect(BucketName.isValid(UTF8String(name)) == isValid)
  }
}
