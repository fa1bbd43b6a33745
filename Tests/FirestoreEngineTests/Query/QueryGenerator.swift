import Coding
import FirestoreModel
import HibachiTesting

/// Makes random documents and queries with few names and values, so that queries find something.
struct QueryGenerator {
  static let paths = [
    "c/1", "c/2", "c/3", "c/__id4__", "c/a\0", "c/zz", "c/1/c/1", "c/1/c/5", "c/2/d/1", "d/1/c/7",
    "d/1", "c/é", "c/e\u{301}",
  ]
  var values: [Value] = [
    .null, .integer(1), .double(1), .integer(2), .double(.nan), .string("a"), .string("b"),
    .boolean(true), .array([.integer(1)]), .map(["x": .integer(1)]),
  ]

  var random: SeededGenerator

  init(seed: Int) {
    self.random = SeededGenerator(seed: seed)
  }

  mutating func fields() -> [String: Value] {
    var fields: [String: Value] = [:]
    for field in ["a", "b"] where random.int(0...5) > 0 { fields[field] = value() }
    return fields
  }

  mutating func value() -> Value {
    values[random.int(0...values.count - 1)]
  }

  private mutating func filter(_ depth: Int) -> Filter {
    if depth > 0, random.int(0...1) == 0 {
      let filters = (0..<random.int(1...3)).map { _ in filter(depth - 1) }
      return random.int(0...1) == 0 ? .and(filters) : .or(filters)
    }
    let value = self.value()
    guard random.int(0...3) > 0 else {
      let reference = Value.reference(name(Self.paths[random.int(0...Self.paths.count - 1)]))
      let conditions: [Filter.Condition] = [
        .equal(reference), .lessThan(reference), .greaterThanOrEqual(reference),
        .lessThanOrEqual(reference), .greaterThan(reference),
        .in([reference, .reference(name("c/2"))]), .notEqual(reference),
      ]
      return .field(.documentName, conditions[random.int(0...conditions.count - 1)])
    }
    let conditions: [Filter.Condition] = [
      .equal(value), .notEqual(value), .lessThan(value), .lessThanOrEqual(value),
      .greaterThan(value), .greaterThanOrEqual(value), .in([value, self.value()]),
      .arrayContains(value), .isNull, .isNotNaN, .isNaN, .isNotNull,
      .arrayContainsAny([value, self.value()]), .notIn([value, self.value()]),
    ]
    return .field(
      fieldPath(random.int(0...1) == 0 ? "a" : "b"),
      conditions[random.int(0...conditions.count - 1)])
  }

  /// `nil` for a query that is refused.
  mutating func query() -> Query? {
    try? Query(structuredQuery(), parent: Self.root)
  }

  static let root = ParentName(database: Fixture.database, document: nil)

  mutating func structuredQuery() -> StructuredQuery {
    let collections = ["c", "c", "d", ""]
    var query = StructuredQuery(
      from: [
        .init(
          collectionID: UTF8String(collections[random.int(0...3)]),
          allDescendants: random.int(0...1) == 0)
      ])
    if random.int(0...2) > 0 { query.filter = filter(2) }
    let fields = random.int(0...1) == 0 ? ["a", "b"] : ["b", "a"]
    for path in fields + ["__name__"] where random.int(0...2) == 0 {
      query.orderBy.append(
        Query.Order(fieldPath(path), random.int(0...1) == 0 ? .ascending : .descending))
    }
    for isStart in [true, false] where random.int(0...2) == 0 && !query.orderBy.isEmpty {
      let count = random.int(1...query.orderBy.count)
      let values = query.orderBy.prefix(count).map { order in
        order.path.isDocumentName
          ? Value.reference(name(Self.paths[random.int(0...Self.paths.count - 1)]))
          : value()
      }
      let cursor = Query.Cursor(values: values, isBefore: random.int(0...1) == 0)
      if isStart { query.startAt = cursor } else { query.endAt = cursor }
    }
    query.offset = random.int(0...2)
    if random.int(0...1) == 0 { query.limit = random.int(0...4) }
    return query
  }
}
