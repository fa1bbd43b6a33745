import Coding
import FirestoreEngine
import FirestoreModel
import HibachiTesting
import Testing

/// Random queries against a model that filters and sorts everything.
@Suite("Random queries against a list")
struct QueryModelTests {
  @Test(arguments: 0..<60, [IndexPolicy.never, .always])
  func queries(seed: Int, indexes: IndexPolicy) async throws {
    var generator = QueryGenerator(seed: seed)
    let fixture = try Fixture(indexes: indexes)
    for path in QueryGenerator.paths where generator.random.int(0...4) > 0 {
      try await fixture.commit(set(path, generator.fields()))
    }
    let (before, past) = (try await all(fixture), fixture.engine.readPoint)
    for path in QueryGenerator.paths where generator.random.once(in: 2) {
      try await fixture.commit(
        generator.random.once(in: 4) ? delete(path) : set(path, generator.fields()))
    }
    let now = try await all(fixture)
    for _ in 0..<40 {
      guard let query = generator.query() else { continue }
      #expect(try await names(query, fixture) == expected(query, now), "\(query)")
      #expect(
        try await names(query, fixture, at: past) == expected(query, before), "before: \(query)")
    }
  }

  private func names(
    _ query: Query, _ fixture: Fixture, at point: ReadPoint? = nil
  ) async throws -> [String] {
    var run = QueryRun(query, in: fixture.engine, at: point)
    var found: [String] = []
    while let page = try await run.next() { found += page.documents.map(\.name.path.text) }
    return found
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
