import Coding
import FirestoreEngine
import FirestoreModel
import KeyValue
import Testing

@Suite("Limits of production")
struct LimitTests {
  /// What is left for a second string.
  private static let room = 1_048_576 - 52 - 600_003 - 3

  private static func nested(_ depth: Int) -> Value {
    (0..<depth).reduce(.integer(1)) { value, _ in .map(["a": value]) }
  }

  private static func text(_ count: Int) -> Value {
    .string(UTF8String(String(repeating: "x", count: count)))
  }

  private static func transforms(_ count: Int) -> [FieldTransform] {
    (0..<count).map { transform("f\($0)", .increment(.integer(1))) }
  }

  private static func large(_ count: Int) -> [Write] {
    (0..<count).map { set("c/\($0)", ["a": .bytes(Array(repeating: 0, count: 1_000_000))]) }
  }

  private static let long = String(repeating: "i", count: 1_400)
  private static let rest = String(repeating: "i", count: 6_144 - 16 - 4 * 1_401 - 2 - 1)

  /// What just fits, what does not, and what is said then.
  private static let cases: [(fits: [Write], tooMuch: [Write], text: String)] = [
    (
      [set("c/a", ["a": .bytes(Array(repeating: 0, count: 1_048_487))])],
      [set("c/a", ["a": .bytes(Array(repeating: 0, count: 1_048_488))])],
      "The value of property \"a\" is longer than 1048487 bytes."
    ),
    (
      [set("c/a", ["a": text(600_000), "b": text(room)])],
      [set("c/a", ["a": text(600_000), "b": text(room + 1)])],
      "maximum entity size is 1048576 bytes"
    ),
    (
      [set("c/a", ["a": nested(20)])], [set("c/a", ["a": nested(21)])],
      "Property a contains an invalid nested entity."
    ),
    (
      [set("c/a", [String(repeating: "n", count: 1_500): .null])],
      [set("c/a", [String(repeating: "n", count: 1_501): .null])],
      "The property.name is longer than 1500 bytes."
    ),
    (
      [set("c/a", transforms: transforms(500))],
      [set("c/a", transforms: transforms(500)), set("c/a", mask: [], transforms: transforms(1))],
      "A commit may not have more than 500 transforms of one document."
    ),
    (large(10), large(11), "Transaction too big. Decrease transaction size."),
    (
      [set("c/a", ["a": .array((0..<40_000).map { .integer($0) })])],
      [set("c/a", ["a": .array((0..<40_001).map { .integer($0) })])],
      "too many index entries for entity /c/a"
    ),
    (
      [set("c/a", ["a": .array((0..<50_000).map { .integer($0 % 2) })])],
      [set("c/a", ["a": .array((0..<39_999).map { .integer($0) }), "b": .null])],
      "too many index entries for entity /c/a"
    ),
    (
      [set("\(long)/\(long)/\(long)/\(long)", [:])],
      [set("\(long)/\(long)/\(long)/\(long)", ["a": .null])],
      "The index entry of property \"a\" is larger than 7680 bytes."
    ),
    (
      [set("\(long)/\(long)", ["a": .array((0..<2_900).map { .integer($0) })])],
      [set("\(long)/\(long)", ["a": .array((0..<3_000).map { .integer($0) })])],
      "The index entries of /\(long)/\(long) are larger than 8388608 bytes together."
    ),
    // Its segments count a byte more each, and the name sixteen.
    (
      [set("\(long)/\(long)/\(long)/\(long)/a/\(rest)", [:])],
      [set("\(long)/\(long)/\(long)/\(long)/a/\(rest)i", [:])],
      "Document name is longer than 6144 bytes."
    ),
  ]

  @Test("what fits is stored, what does not is refused", arguments: cases.indices)
  func limits(_ index: Int) async throws {
    let (fits, tooMuch, text) = Self.cases[index]
    let fixture = try Fixture()
    try await fixture.engine.commit(Fixture.database, fits)
    let error = await #expect(throws: FirestoreError.self) {
      try await fixture.engine.commit(Fixture.database, tooMuch)
    }
    #expect(error == .invalidArgument(text))
  }

  @Test("limits that the official emulator does not have can be lifted", arguments: 4..<cases.count)
  func lifted(_ index: Int) async throws {
    let engine = try Engine(store: MemoryStore(), limitsWrites: false, now: { ManualTime.start })
    try await engine.commit(Fixture.database, Self.cases[index].tooMuch)
  }
}
