import Coding
import FirestoreEngine
import FirestoreModel
import Testing

@Suite("Updates with and without masks")
struct MaskTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let stored: [String: Value]?
    let fields: [String: Value]
    let mask: [String]?
    let expected: [String: Value]
    var isChange = true
  }

  static let cases: [Case] = [
    Case(
      testDescription: "no mask replaces", stored: ["x": .integer(1), "y": .integer(2)],
      fields: ["y": .integer(3)], mask: nil, expected: ["y": .integer(3)]),
    Case(
      testDescription: "no mask creates", stored: nil, fields: ["y": .integer(3)], mask: nil,
      expected: ["y": .integer(3)]),
    Case(
      testDescription: "an empty mask touches nothing", stored: ["x": .integer(1)],
      fields: ["y": .integer(2)], mask: [], expected: ["x": .integer(1)], isChange: false),
    Case(
      testDescription: "an empty mask creates", stored: nil, fields: ["y": .integer(2)], mask: [],
      expected: [:]),
    Case(
      testDescription: "a mask merges", stored: ["x": .integer(1), "y": .integer(2)],
      fields: ["y": .integer(3), "z": .integer(4)], mask: ["y", "z"],
      expected: ["x": .integer(1), "y": .integer(3), "z": .integer(4)]),
    Case(
      testDescription: "fields outside are ignored", stored: ["x": .integer(1)],
      fields: ["x": .integer(9), "y": .integer(3)], mask: ["y"],
      expected: ["x": .integer(1), "y": .integer(3)]),
    Case(
      testDescription: "masked and absent is deleted",
      stored: ["x": .integer(1), "y": .integer(2)],
      fields: [:], mask: ["x"], expected: ["y": .integer(2)]),
    Case(
      testDescription: "siblings of a nested path stay",
      stored: ["a": .map(["b": .map(["c": .integer(1), "d": .integer(2)]), "x": .integer(1)])],
      fields: ["a": .map(["b": .map(["c": .integer(9)])])], mask: ["a.b.c"],
      expected: ["a": .map(["b": .map(["c": .integer(9), "d": .integer(2)]), "x": .integer(1)])]),
    Case(
      testDescription: "deleting the last nested field leaves a map",
      stored: ["a": .map(["x": .integer(1)])], fields: [:], mask: ["a.x"],
      expected: ["a": .map([:])]),
    Case(
      testDescription: "deleting below a missing parent does nothing", stored: ["q": .integer(1)],
      fields: [:], mask: ["a.x"], expected: ["q": .integer(1)], isChange: false),
    Case(
      testDescription: "deleting below a scalar does nothing", stored: ["a": .integer(1)],
      fields: [:], mask: ["a.x"], expected: ["a": .integer(1)], isChange: false),
    Case(
      testDescription: "a scalar on the way becomes a map", stored: ["a": .integer(1)],
      fields: ["a": .map(["x": .integer(2)])], mask: ["a.x"],
      expected: ["a": .map(["x": .integer(2)])]),
    Case(
      testDescription: "a scalar in the input deletes the nested path",
      stored: ["a": .map(["x": .integer(1)])], fields: ["a": .integer(5)], mask: ["a.x"],
      expected: ["a": .map([:])]),
    Case(
      testDescription: "parent then child",
      stored: ["a": .map(["x": .integer(1), "y": .integer(2)])],
      fields: ["a": .map(["x": .integer(9)])], mask: ["a", "a.x"],
      expected: ["a": .map(["x": .integer(9)])]),
    Case(
      testDescription: "child then parent",
      stored: ["a": .map(["x": .integer(1), "y": .integer(2)])],
      fields: ["a": .map(["x": .integer(9)])], mask: ["a.x", "a"],
      expected: ["a": .map(["x": .integer(9)])]),
    Case(
      testDescription: "quoted names", stored: ["q": .integer(1)],
      fields: ["a.b": .integer(1), "m": .map(["c d": .integer(2)])], mask: ["`a.b`", "m.`c d`"],
      expected: ["q": .integer(1), "a.b": .integer(1), "m": .map(["c d": .integer(2)])]),
    Case(
      testDescription: "__name__ in a mask names nothing", stored: ["q": .integer(1)],
      fields: ["q": .integer(2)], mask: ["__name__"], expected: ["q": .integer(1)],
      isChange: false),
    Case(
      testDescription: "the same fields are no change", stored: ["x": .integer(1)],
      fields: ["x": .integer(1)], mask: nil, expected: ["x": .integer(1)], isChange: false),
    Case(
      testDescription: "1 to 1.0 is a change", stored: ["x": .integer(1)],
      fields: ["x": .double(1)], mask: nil, expected: ["x": .double(1)]),
    Case(
      testDescription: "0.0 to -0.0 is a change", stored: ["x": .double(0)],
      fields: ["x": .double(-0.0)], mask: nil, expected: ["x": .double(-0.0)]),
  ]

  @Test(arguments: cases)
  func update(_ example: Case) async throws {
    let fixture = try Fixture()
    var before: Timestamp?
    if let stored = example.stored {
      before = try await fixture.commit(set("c/a", stored)).commitTime
    }
    let result = try await fixture.commit(set("c/a", example.fields, mask: example.mask))
    let document = try #require(try fixture.engine.document(name("c/a")))
    #expect(try document.fields.decoded() == MapValue(example.expected))
    #expect(document.createTime == before ?? result.commitTime)
    let updateTime = example.isChange ? result.commitTime : before
    #expect(document.updateTime == updateTime)
    #expect(result.writeResults[0].updateTime == updateTime)
    if let before { #expect(result.commitTime > before) }
    #expect(fixture.events.all.count == (before == nil ? 0 : 1) + (example.isChange ? 1 : 0))
  }
}
