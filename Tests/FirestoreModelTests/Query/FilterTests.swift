import Coding
import FirestoreModel
import Testing

@Suite struct FilterTests {
  /// One value of each kind.
  static let values: [String: Value] = [
    "null": .null, "nan": .double(.nan), "false": .boolean(false), "one": .integer(1),
    "one.0": .double(1), "two": .integer(2), "-0": .double(-0.0), "text": .string("a"),
    "array": .array([.integer(1), .null, .double(.nan)]), "vector": .vector([1]),
    "map": map(["a": .integer(1)]), "empty": map([:]),
  ]
  static let list: Filter.Condition = .in([.integer(1), .null, .double(.nan)])

  static let cases: [(Filter.Condition, Set<String>)] = [
    (.equal(.integer(1)), ["one", "one.0"]), (.equal(.null), []), (.equal(.double(.nan)), []),
    (.equal(.integer(0)), ["-0"]), (.equal(map(["a": .double(1)])), ["map"]),
    (
      .notEqual(.integer(1)),
      ["nan", "false", "two", "-0", "text", "array", "vector", "map", "empty"]
    ),
    (.notEqual(.null), []),
    (
      .notEqual(.double(.nan)),
      ["nan", "false", "one", "one.0", "two", "-0", "text", "array", "vector", "map", "empty"]
    ),
    (.lessThan(.integer(2)), ["one", "one.0", "-0"]), (.lessThan(.double(.nan)), []),
    (.lessThanOrEqual(.null), []), (.greaterThanOrEqual(.double(1)), ["one", "one.0", "two"]),
    (.greaterThan(.vector([])), ["vector"]), (.greaterThan(.array([])), ["array"]),
    (.greaterThan(map([:])), ["map"]), (.lessThan(.boolean(true)), ["false"]),
    (.isNull, ["null"]), (.isNaN, ["nan"]),
    (
      .isNotNaN,
      ["false", "one", "one.0", "two", "-0", "text", "array", "vector", "map", "empty"]
    ),
    (list, ["one", "one.0"]), (.in([.string("a"), map([:])]), ["text", "empty"]),
    (.notIn([.integer(1), .null]), []),
    (
      .notIn([.integer(1), .double(.nan), .string("a")]),
      [
        "nan", "false", "two", "-0", "array", "vector", "map", "empty",
      ]
    ),
    (.arrayContains(.double(1)), ["array"]), (.arrayContains(.null), []),
    (.arrayContains(.double(.nan)), []), (.arrayContainsAny([.null, .integer(1)]), ["array"]),
    (.arrayContainsAny([.null, .double(.nan)]), []),
  ]

  @Test(arguments: cases)
  func conditions(_ condition: Filter.Condition, _ expected: Set<String>) {
    #expect(Set(Self.values.filter { condition.holds(for: $0.value) }.keys) == expected)
  }

  @Test func trees() throws {
    let document = Document(
      name: DocumentName(database: database, path: path("c/a")),
      fields: StoredFields(MapValue([.init(name: "a", value: map(["b": .integer(1)]))])),
      createTime: Timestamp(microseconds: 0), updateTime: Timestamp(microseconds: 0))
    let yes = Filter.field(try FieldPath(parsing: "a.b"), .equal(.integer(1)))
    let no = Filter.field(try FieldPath(parsing: "a.c"), .isNull)
    #expect(try yes.matches(document))
    #expect(try !no.matches(document))
    #expect(try Filter.and([]).matches(document))
    #expect(try Filter.or([no, .and([yes, yes])]).matches(document))
    #expect(try !Filter.and([yes, .or([no])]).matches(document))
    #expect(try Filter.field(.documentName, .equal(reference("c/a"))).matches(document))
    #expect(try Filter.field(.documentName, .lessThan(reference("c/b"))).matches(document))
  }
}
