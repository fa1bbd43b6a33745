import Coding
import FirestoreEngine
import FirestoreModel
import HibachiTesting
import Testing

/// Random queries against a model that filters and sorts everything.
@Suite("Random queries against a list")
struct QueryModelTests {
  static let paths = [
    "c/1", "c/2", "c/3", "c/__id4__", "c/a\0", "c/zz", "c/1/c/1", "c/1/c/5", "c/2/d/1", "d/1/c/7",
    "d/1", "c/é", "c/e\u{301}",
  ]
  static let values: [Value] = [
    .null, .integer(1), .double(1), .integer(2), .double(.nan), .string("a"), .string("b"),
    .boolean(true), .array([.integer(1)]), .map(["x": .integer(1)]),
  ]

  @Test(arguments: 0..<60)
  func queries(seed: Int) async throws {
    var random = SeededGenerator(seed: seed)
    let fixture = try Fixture()
    for path in Self.paths where random.int(0...4) > 0 {
      var fields: [String: Value] = [:]
      for field in ["a", "b"] where random.int(0...5) > 0 { fields[field] = pick(&random) }
      try await fixture.commit(set(path, fields))
    }
    let everything = try await all(fixture)
    for _ in 0..<40 {
      guard let query = randomQuery(&random) else { continue }
      var run = QueryRun(query, in: fixture.engine, at: nil)
      var found: [String] = []
      while let page = try await run.next() { found += page.documents.map(\.name.path.text) }
      let expected = try expected(query, everything)
      #expect(found == expected, "\(query)")
    }
  }

  private func all(_ fixture: Fixture) async throws -> [Document] {
    var run = QueryRun(
      try Query(
        StructuredQuery(from: [.init(collectionID: "", allDescendants: true)]),
        parent: ParentName(database: Fixture.database, document: nil)),
      in: fixture.engine, at: nil)
    var documents: [Document] = []
    while let page = try await run.next() { documents += page.documents }
    return documents
  }

  private func pick(_ random: inout SeededGenerator) -> Value {
    Self.values[random.int(0...Self.values.count - 1)]
  }

  private func randomFilter(_ random: inout SeededGenerator, _ depth: Int) -> Filter {
    if depth > 0, random.int(0...1) == 0 {
      let filters = (0..<random.int(1...3)).map { _ in randomFilter(&random, depth - 1) }
      return random.int(0...1) == 0 ? .and(filters) : .or(filters)
    }
    let value = pick(&random)
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
      .greaterThan(value), .greaterThanOrEqual(value), .in([value, pick(&random)]),
      .arrayContains(value), .isNull, .isNotNaN,
    ]
    return .field(
      fieldPath(random.int(0...1) == 0 ? "a" : "b"),
      conditions[random.int(0...conditions.count - 1)])
  }

  /// `nil` for a query that is refused.
  private func randomQuery(_ random: inout SeededGenerator) -> Query? {
    let collections = ["c", "c", "d", ""]
    var query = StructuredQuery(
      from: [
        .init(
          collectionID: UTF8String(collections[random.int(0...3)]),
          allDescendants: random.int(0...1) == 0)
      ])
    if random.int(0...2) > 0 { query.filter = randomFilter(&random, 2) }
    for path in ["b", "a", "__name__"] where random.int(0...2) == 0 {
      query.orderBy.append(
        Query.Order(fieldPath(path), random.int(0...1) == 0 ? .ascending : .descending))
    }
    for isStart in [true, false] where random.int(0...2) == 0 && !query.orderBy.isEmpty {
      let count = random.int(1...query.orderBy.count)
      let values = query.orderBy.prefix(count).map { order in
        order.path.isDocumentName
          ? Value.reference(name(Self.paths[random.int(0...Self.paths.count - 1)]))
          : pick(&random)
      }
      let cursor = Query.Cursor(values: values, isBefore: random.int(0...1) == 0)
      if isStart { query.startAt = cursor } else { query.endAt = cursor }
    }
    query.offset = random.int(0...2)
    if random.int(0...1) == 0 { query.limit = random.int(0...4) }
    return try? Query(query, parent: ParentName(database: Fixture.database, document: nil))
  }

  private func expected(_ query: Query, _ documents: [Document]) throws -> [String] {
    let candidates = try documents.filter { document in
      let isInSource =
        switch query.source {
        case .collection(let path): document.name.path.collection == path
        case .collections: document.name.path.segments.count == 2
        case .group(let id, _): document.name.path.collection.id == id
        case .descendants: true
        }
      guard isInSource, try query.filter?.matches(document) ?? true else { return false }
      for order in query.orders where try document.value(at: order.path) == nil { return false }
      let start = try query.start.map { try place(of: document, $0, query) }
      let end = try query.end.map { try place(of: document, $0, query) }
      let isBehindStart =
        start.map { $0 == .descending || $0 == .equal && query.start?.isBefore == true } ?? true
      let isBeforeEnd =
        end.map { $0 == .ascending || $0 == .equal && query.end?.isBefore == false } ?? true
      return isBehindStart && isBeforeEnd
    }
    let sorted = try candidates.sorted { left, right in
      let values = try query.orders.map { order in
        (try left.value(at: order.path) ?? .null, try right.value(at: order.path) ?? .null, order)
      }
      return values.reduce(Ordering.equal) { $0.then(compare($1.0, $1.1, $1.2)) } == .ascending
    }
    let rest = sorted.dropFirst(query.offset)
    return (query.limit.map { Array(rest.prefix($0)) } ?? Array(rest)).map(\.name.path.text)
  }

  private func place(
    of document: Document, _ cursor: Query.Cursor, _ query: Query
  ) throws -> Ordering {
    var ordering = Ordering.equal
    for (value, order) in zip(cursor.values, query.orders) {
      let own = try document.value(at: order.path) ?? .null
      ordering = ordering.then(compare(own, value, order))
    }
    return ordering
  }

  private func compare(_ left: Value, _ right: Value, _ order: Query.Order) -> Ordering {
    let ordering = Value.compare(left, right)
    return order.direction == .ascending ? ordering : ordering.reversed
  }
}
