import Coding
import HibachiTesting
import Testing

@Suite struct JSONReaderTests {
  /// Reads a value and writes it again, compactly.
  static func copy(_ reader: inout JSONReader, _ writer: inout JSONWriter) throws(JSONError) {
    switch try reader.peek() {
    case .object:
      try reader.beginObject()
      writer.beginObject()
      while let key = try reader.nextKey() {
        writer.writeKey(key)
        try copy(&reader, &writer)
      }
      writer.endObject()
    case .array:
      try reader.beginArray()
      writer.beginArray()
      while try reader.nextElement() { try copy(&reader, &writer) }
      writer.endArray()
    case .string: writer.writeString(try reader.readString())
    case .number:
      let text = try reader.readNumber()
      guard let value = Double(decimal: text) else { throw reader.wrongValue() }
      writer.writeDouble(value)
    case .boolean: writer.writeBool(try reader.readBool())
    case .null:
      try reader.readNull()
      writer.writeNull()
    }
  }

  static func normalized(_ text: [UInt8], isPretty: Bool = false) throws(JSONError) -> [UInt8] {
    var reader = JSONReader(text.span)
    var writer = JSONWriter(isPretty: isPretty)
    try copy(&reader, &writer)
    try reader.finish()
    writer.finish()
    return writer.bytes
  }

  @Test(arguments: [
    (" { } ", "{}"), ("[ ]", "[]"), ("[1 , 2]", "[1.0,2.0]"),
    (#"{"a" :[{}, null]}"#, #"{"a":[{},null]}"#),
    ("-0", "-0.0"), ("1e3", "1000.0"), ("0.5E-1", "0.05"), ("NaN", #""NaN""#),
    ("-Infinity", #""-Infinity""#),
    (#""A\u00e9\ud83d\ude00""#, #""Aé😀""#), (#""\/\b\f\n\r\t\"\\""#, #""/\b\f\n\r\t\"\\""#),
    (#""\u0001\u007f""#, "\"\\u0001\u{7f}\""), (#""\ud83d""#, "\"\u{fffd}\""),
    (#""\ude00\ud83dx""#, "\"\u{fffd}\u{fffd}x\""), (#""\ud83d\u0041""#, "\"\u{fffd}A\""),
    (#"{"a":1,"a":2}"#, #"{"a":1.0,"a":2.0}"#), ("true", "true"), ("\t\r\nfalse", "false"),
    ("\"\u{fffe}\u{ffff}\"", "\"\u{fffe}\u{ffff}\""),
  ])
  func takes(text: String, result: String) throws {
    let bytes = try Self.normalized(Array(text.utf8))
    #expect(bytes == Array(result.utf8))
  }

  @Test(arguments: [
    "", " ", "{", "[", "}", "hello", "{'a':1}", "{a:1}", #"{"a":1,}"#, "[1,]", "[,1]", "[1 2]",
    "[1]]",
    "{} {}", "{} /* x */", "\u{feff}{}", "01", "1.", ".5", "+1", "-", "1e", "1e+", "--1", "0x10",
    "1.5.5",
    "tru", "nul", "trues", "NaNa", "nan", "Inf", "-NaN", #""a"#, "\"a\n\"", #""\x""#, #""\u12""#,
    #""\u12g4""#,
    #""\"#, #"{"a"}"#, #"{"a":}"#, #"{1:2}"#, #"{"a":1 "b":2}"#, #"{"a"::1}"#, "1e999",
  ])
  func refuses(text: String) {
    #expect(throws: JSONError.self) { try Self.normalized(Array(text.utf8)) }
  }

  @Test(
    arguments: [[0x22, 0xff, 0x22], [0x22, 0xc3, 0x22], [0x22, 0x5c, 0xc3, 0xa9, 0x22]] as [[UInt8]]
  )
  func refusesBytes(text: [UInt8]) {
    #expect(throws: JSONError.self) { try Self.normalized(text) }
  }

  @Test(arguments: 0..<24)
  func whatNeedsAnEscapeIsFoundAnywhere(offset: Int) throws {
    for character in [
      "\"", "\\", "\u{0}", "\u{1f}", " ", "!", "#", "[", "]", "\u{7f}", "é", "\u{1f600}",
    ] {
      for rest in [0, 3, 9] {
        let text =
          String(repeating: "a", count: offset) + character + String(repeating: "b", count: rest)
        var writer = JSONWriter()
        writer.writeString(text)
        let json = writer.bytes
        var reader = JSONReader(json.span)
        let back = try reader.readString()
        #expect(back.utf8.elementsEqual(text.utf8))
        let isPlain = json.count == text.utf8.count + 2
        #expect(isPlain != ["\"", "\\", "\u{0}", "\u{1f}"].contains(character))
      }
    }
  }

  @Test func depthIsBounded() throws {
    let deep =
      Array(repeating: UInt8(ascii: "["), count: 100)
      + Array(repeating: UInt8(ascii: "]"), count: 100)
    _ = try Self.normalized(deep)
    let error = #expect(throws: JSONError.self) { try Self.normalized([UInt8(ascii: "[")] + deep) }
    #expect(error == JSONError(.tooDeep, at: 100))
    let skipped = #expect(throws: JSONError.self) {
      var reader = JSONReader(Array(repeating: UInt8(ascii: "["), count: 100_000).span)
      try reader.skipValue()
    }
    #expect(skipped?.code == .tooDeep)
  }

  @Test func membersAreFoundByName() throws {
    let text = Array(#"{"b":1, "\u0061": 2}"#.utf8)
    var reader = JSONReader(text.span)
    try reader.beginObject()
    let first = try reader.nextMember(of: ["a", "b"])
    try reader.skipValue()
    let second = try reader.nextMember(of: ["a", "b"])
    #expect(first == 1 && second == 0)
    let error = #expect(throws: JSONError.self) {
      var reader = JSONReader(text.span)
      try reader.beginObject()
      _ = try reader.nextMember(of: ["a", "c", "bb"])
    }
    #expect(error == JSONError(.unknownName, at: 1))
  }

  @Test func namesThatNobodyAskedForCanBePassedOver() throws {
    let bytes = Array(#"{"x":{"y":[1,{"a":2}]},"a":1,"z":null}"#.utf8)
    var reader = JSONReader(bytes.span, skipsUnknownNames: true)
    try reader.beginObject()
    #expect(try reader.nextMember(of: ["b", "a"]) == 1)
    #expect(String(utf8: try reader.readNumber()) == "1")
    #expect(try reader.nextMember(of: ["b", "a"]) == nil)
    try reader.finish()
  }

  static let sample = Array(
    #"{"name":"p/\u00e9\ud83d\ude00","fields":{"a":{"integerValue":"12"},"b":[1.5e3,-0,true,null,{}]},"x":"é"}"#
      .utf8)

  @Test(arguments: 0..<1_000)
  func noBytesTrap(seed: Int) {
    var generator = SeededGenerator(seed: seed)
    let bytes = seed % 4 == 0 ? generator.bytes(upTo: 60) : generator.mutated(Self.sample)
    guard let once = try? Self.normalized(bytes) else { return }
    let twice = try? Self.normalized(once)
    #expect(twice == once)
    let pretty = try? Self.normalized(once, isPretty: true)
    let back = pretty.flatMap { try? Self.normalized($0) }
    #expect(back == once)
  }

  @Test func everyTruncationIsRefused() {
    for count in Self.sample.indices {
      #expect(throws: JSONError.self) { try Self.normalized(Array(Self.sample[..<count])) }
    }
  }
}
