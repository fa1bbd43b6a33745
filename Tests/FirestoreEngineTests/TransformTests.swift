import Coding
import FirestoreEngine
import FirestoreModel
import Testing

@Suite("Transforms")
struct TransformTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let stored: Value?
    let operation: FieldTransform.Operation
    let expected: Value
    /// What the write answers, if not the new value.
    var answer: Value?
  }

  static let cases: [Case] = numbers + arrays

  static let numbers: [Case] = [
    Case(
      testDescription: "integer plus integer", stored: .integer(3),
      operation: .increment(.integer(4)), expected: .integer(7)),
    Case(
      testDescription: "integer plus double", stored: .integer(3),
      operation: .increment(.double(0.5)), expected: .double(3.5)),
    Case(
      testDescription: "integer plus whole double", stored: .integer(3),
      operation: .increment(.double(2)), expected: .double(5)),
    Case(
      testDescription: "saturates above", stored: .integer(.max),
      operation: .increment(.integer(1)), expected: .integer(.max)),
    Case(
      testDescription: "saturates below", stored: .integer(.min),
      operation: .increment(.integer(-1)), expected: .integer(.min)),
    Case(
      testDescription: "extremes together", stored: .integer(.max),
      operation: .increment(.integer(.min)), expected: .integer(-1)),
    Case(
      testDescription: "opposite infinities", stored: .double(.infinity),
      operation: .increment(.double(-.infinity)), expected: .double(.nan)),
    Case(
      testDescription: "increment of a string", stored: .string("a"),
      operation: .increment(.integer(1)), expected: .integer(1)),
    Case(
      testDescription: "increment of nothing", stored: nil, operation: .increment(.integer(2)),
      expected: .integer(2)),
    Case(
      testDescription: "maximum takes the larger", stored: .integer(3),
      operation: .maximum(.integer(5)), expected: .integer(5)),
    Case(
      testDescription: "maximum keeps the larger", stored: .integer(5),
      operation: .maximum(.double(4.5)), expected: .integer(5)),
    Case(
      testDescription: "equal keeps the stored one", stored: .double(3),
      operation: .maximum(.integer(3)), expected: .double(3)),
    Case(
      testDescription: "minimum takes the smaller with its type", stored: .integer(4),
      operation: .minimum(.double(3.5)), expected: .double(3.5)),
    Case(
      testDescription: "minimum compares exactly", stored: .integer(9_007_199_254_740_993),
      operation: .minimum(.double(9_007_199_254_740_992)),
      expected: .double(9_007_199_254_740_992)),
    Case(
      testDescription: "zeros are equal", stored: .integer(0), operation: .minimum(.double(-0.0)),
      expected: .integer(0)),
    Case(
      testDescription: "maximum with a stored NaN", stored: .double(.nan),
      operation: .maximum(.integer(1)), expected: .double(.nan)),
    Case(
      testDescription: "minimum with a stored NaN", stored: .double(.nan),
      operation: .minimum(.integer(1)), expected: .double(.nan)),
    Case(
      testDescription: "maximum with NaN", stored: .integer(1), operation: .maximum(.double(.nan)),
      expected: .double(.nan)),
    Case(
      testDescription: "minimum with NaN", stored: .integer(1), operation: .minimum(.double(.nan)),
      expected: .double(.nan)),
    Case(
      testDescription: "maximum of null", stored: .null, operation: .maximum(.integer(1)),
      expected: .integer(1)),
  ]

  static let arrays: [Case] = [
    Case(
      testDescription: "union", stored: .array([.integer(1), .integer(2)]),
      operation: .appendMissingElements([.integer(2), .integer(3)]),
      expected: .array([.integer(1), .integer(2), .integer(3)]), answer: .null),
    Case(
      testDescription: "union over a map", stored: .map(["a": .integer(1)]),
      operation: .appendMissingElements([.integer(1)]), expected: .array([.integer(1)]),
      answer: .null),
    Case(
      testDescription: "union collapses its own duplicates", stored: nil,
      operation: .appendMissingElements([.integer(1), .double(1), .double(.nan), .double(.nan)]),
      expected: .array([.integer(1), .double(.nan)]), answer: .null),
    Case(
      testDescription: "empty union", stored: nil, operation: .appendMissingElements([]),
      expected: .array([]), answer: .null),
    Case(
      testDescription: "remove by number", stored: .array([.integer(1), .double(1), .integer(2)]),
      operation: .removeAllFromArray([.double(1), .null]), expected: .array([.integer(2)]),
      answer: .null),
    Case(
      testDescription: "remove from nothing", stored: nil,
      operation: .removeAllFromArray([.integer(1)]), expected: .array([]), answer: .null),
  ]

  @Test(arguments: cases)
  func transform(_ example: Case) async throws {
    let fixture = try Fixture()
    if let stored = example.stored { try await fixture.commit(set("c/a", ["n": stored])) }
    let result = try await fixture.commit(
      set("c/a", [:], mask: [], transforms: [transformOf("n", example.operation)]))
    #expect(try fixture.fields("c/a")?["n"] == example.expected)
    #expect(result.writeResults[0].transformResults == [example.answer ?? example.expected])
  }

  private func transformOf(
    _ path: String, _ operation: FieldTransform.Operation
  ) -> FieldTransform {
    FirestoreEngineTests.transform(path, operation)
  }

  @Test("server time is one for the commit, in milliseconds")
  func requestTime() async throws {
    let fixture = try Fixture()
    fixture.time.advance(microseconds: 123_456)
    let transforms = [transformOf("t", .requestTime)]
    let result = try await fixture.commit(
      set("c/a", transforms: transforms), set("c/b", ["x": .integer(1)], transforms: transforms))
    let expected = Value.timestamp(Timestamp(microseconds: ManualTime.start + 123_000))
    #expect(result.writeResults.map(\.transformResults) == [[expected], [expected]])
    #expect(try fixture.fields("c/b") == ["x": .integer(1), "t": expected])
    #expect(result.commitTime == Timestamp(microseconds: ManualTime.start + 123_456))
  }

  @Test("transforms follow the update, in order")
  func order() async throws {
    let fixture = try Fixture()
    try await fixture.commit(set("c/a", ["n": .integer(100)]))
    let replaced = try await fixture.commit(
      set("c/a", ["q": .integer(1)], transforms: [transformOf("n", .increment(.integer(2)))]))
    #expect(replaced.writeResults[0].transformResults == [.integer(2)])
    let merged = try await fixture.commit(
      set(
        "c/a", ["n": .integer(5)], mask: ["n"],
        transforms: [
          transformOf("n", .increment(.integer(2))), transformOf("n", .maximum(.integer(9))),
          transformOf("m.`c d`", .increment(.integer(1))),
        ]))
    #expect(
      merged.writeResults[0].transformResults == [.integer(7), .integer(9), .integer(1)])
    #expect(
      try fixture.fields("c/a") == [
        "n": .integer(9), "q": .integer(1), "m": .map(["c d": .integer(1)]),
      ])
  }

  @Test("what is refused")
  func refused() async throws {
    let fixture = try Fixture()
    let cases: [(Write, String)] = [
      (
        set("c/a", transforms: [transformOf("n", .increment(.string("a")))]),
        "Input must be int64 or double."
      ),
      (
        set(
          "c/a",
          transforms: [
            transformOf("q.r", .increment(.integer(1))), transformOf("a", .requestTime),
            transformOf("q", .requestTime),
          ]),
        "Cannot transform property q and its nested property at the same time."
      ),
      (
        Write(.delete(name("c/a")), transforms: [transformOf("n", .requestTime)]),
        "a delete must not specify a update transform."
      ),
      (
        set("c/a", transforms: [transformOf("n", .appendMissingElements([.array([])]))]),
        "Cannot convert an array value in an array value."
      ),
    ]
    let many = { (count: Int) in
      (0..<count).map { transformOf("f\($0)", .increment(.integer(1))) }
    }
    try await fixture.commit(set("c/b", transforms: many(250)), set("c/b", transforms: many(250)))
    let error = await #expect(throws: FirestoreError.self) {
      try await fixture.commit(set("c/b", transforms: many(250)), set("c/b", transforms: many(251)))
    }
    #expect(error?.code == .invalidArgument)
    for (write, text) in cases {
      let error = await #expect(throws: FirestoreError.self) { try await fixture.commit(write) }
      #expect(error == .invalidArgument(text))
    }
  }
}
