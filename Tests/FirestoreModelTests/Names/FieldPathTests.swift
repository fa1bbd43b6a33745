import Coding
import FirestoreModel
import Testing

@Suite struct FieldPathTests {
  @Test(arguments: [
    ("a", ["a"], "a"), ("a.b_1.C", ["a", "b_1", "C"], "a.b_1.C"),
    ("`a.b`.c", ["a.b", "c"], "`a.b`.c"),
    ("`x`", ["x"], "x"), (#"`bak\`tik`"#, ["bak`tik"], #"`bak\`tik`"#),
    (#"`a\\b`"#, [#"a\b"#], #"`a\\b`"#),
    ("`a`b`", ["a`b"], #"`a\`b`"#), ("`é`", ["é"], "`é`"), ("____", ["____"], "____"),
    ("__name__", ["__name__"], "__name__"),
  ])
  func paths(_ text: String, _ segments: [String], _ printed: String) throws {
    let path = try FieldPath(parsing: text)
    #expect(path.segments == segments.map { UTF8String($0) })
    #expect(path.text == printed)
  }

  @Test(arguments: [
    ".", ".a", "a.", "a..b", "1a", "a-b", "a b", "a[0]", "é", "*", "``", "`a", "`a`b", "a`b`",
    #"`a\"#,
  ])
  func wrongPaths(_ text: String) {
    let error = #expect(throws: FirestoreError.self) { try FieldPath(parsing: text) }
    #expect(error?.message.hasPrefix("Invalid property path \"\(text)\". Unquoted") == true)
    #expect(error?.message.hasSuffix(#"must match regex (`(?:[^`\\]|(?:\\.))+`)"#) == true)
  }

  @Test(arguments: [
    ("", "Invalid empty property path string."),
    ("__a__", "Invalid reserved name in field path __a__"),
    ("`__a__`", "Invalid reserved name in field path __a__"),
    ("a.__name__", "the name __key__ is reserved"),
    (String(repeating: "a", count: 1500), "property path is longer than 1500 bytes."),
  ])
  func refusedPaths(_ text: String, _ message: String) {
    #expect(throws: FirestoreError(.invalidArgument, message)) { try FieldPath(parsing: text) }
  }

  @Test func projection() throws {
    guard
      case .map(let fields) = map([
        "a": map(["x": .integer(1), "y": .integer(2)]), "b": .integer(3), "v": .vector([1]),
        "é": .null, "e\u{301}": .boolean(true),
      ])
    else { return }
    func project(_ paths: [String]) throws -> Value {
      .map(fields.projected(to: try FieldMask(parsing: paths)))
    }
    #expect(try project(["a.x", "b"]) == map(["a": map(["x": .integer(1)]), "b": .integer(3)]))
    #expect(
      try project(["b", "a.y", "a", "a.x"])
        == map(["a": map(["x": .integer(1), "y": .integer(2)]), "b": .integer(3)]))
    #expect(try project(["a.q", "b.z", "q", "v.value", "__name__"]) == map([:]))
    #expect(try project(["`é`"]) == map(["é": .null]))
    #expect(try project([]) == map([:]))
  }
}
