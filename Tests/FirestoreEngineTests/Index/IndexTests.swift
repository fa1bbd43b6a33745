import Coding
import FirestoreEngine
import FirestoreModel
import HibachiTesting
import KeyValue
import KeyValueSQLite
import Testing

/// The life of indexes.
@Suite("Indexes")
struct IndexTests {
  private static let everything = KeyRange(from: [], to: nil)

  private func query(
    all: Bool = false, _ change: (inout StructuredQuery) -> Void = { _ in }
  ) throws -> Query {
    try Query(structuredQuery(all: all, change), parent: QueryGenerator.root)
  }

  private func structuredQuery(
    all: Bool = false, _ change: (inout StructuredQuery) -> Void = { _ in }
  ) -> StructuredQuery {
    var query = StructuredQuery(
      from: [.init(collectionID: "c", allDescendants: all)])
    query.filter = .field(fieldPath("group"), .equal(.integer(7)))
    query.orderBy = [Query.Order(fieldPath("n"), .descending)]
    query.limit = 5
    change(&query)
    return query
  }

  private func run(
    _ query: Query, of fixture: Fixture, at point: ReadPoint? = nil
  ) async throws -> [String] {
    var run = QueryRun(query, in: fixture.engine, at: point)
    var names: [String] = []
    while let page = try await run.next() { names += page.documents.map(\.name.path.text) }
    return names
  }

  private func count(_ space: Space, _ fixture: Fixture) throws -> Int {
    try fixture.store.read { try $0.count(space, Self.everything) }
  }

  private func fill(
    _ fixture: Fixture, _ count: Int, in collection: (Int) -> String = { _ in "c" }
  ) async throws {
    for start in stride(from: 0, to: count, by: 250) {
      try await fixture.engine.commit(
        Fixture.database,
        (start..<min(start + 250, count)).map { index in
          set(
            "\(collection(index))/d\(10_000 + index)",
            ["group": .integer(Int64(index % 100)), "n": .integer(Int64(index))])
        })
    }
  }

  private let best = ["c/d11107", "c/d11007", "c/d10907", "c/d10807", "c/d10707"]

  @Test("the second query that looks at too much gets an index, which commits keep")
  func adaptive() async throws {
    let fixture = try Fixture()
    try await fill(fixture, 1_200)
    for turn in 0..<2 {
      #expect(try await run(query(), of: fixture) == best)
      try await fixture.engine.tidyIndexes()
      #expect(try count(.indexes, fixture) == turn)
    }
    #expect(try count(.entries, fixture) == 1_200)
    #expect(try await run(query(), of: fixture) == best)
    let before = fixture.engine.readPoint
    try await fixture.commit(
      delete("c/d11107"), set("c/d10907", ["group": .integer(8), "n": .integer(907)]),
      set("c/d10007", ["group": .integer(7), "n": .integer(5_000)]), set("c/none", ["n": .null]))
    #expect(try count(.entries, fixture) == 1_199)
    #expect(
      try await run(query(), of: fixture)
        == ["c/d10007", "c/d11007", "c/d10807", "c/d10707", "c/d10607"])
    #expect(try await run(query(), of: fixture, at: before) == best)
    let first = try await fixture.engine.aggregate(
      AggregationQuery(
        structuredQuery {
          $0.limit = nil
          $0.orderBy = [Query.Order(fieldPath("n"))]
        }, parent: QueryGenerator.root, [Aggregation(alias: "", .count(upTo: nil))]), at: nil)
    #expect(first.values.map(\.value) == [.integer(10)])
  }

  @Test("a small collection, and a query that returns what it looks at, get none")
  func notWorthIt() async throws {
    let fixture = try Fixture()
    try await fill(fixture, 900)
    for _ in 0..<3 {
      _ = try await run(query(), of: fixture)
      try await fixture.engine.tidyIndexes()
    }
    try await fill(fixture, 1_200)
    for _ in 0..<3 {
      _ = try await run(
        query {
          $0.filter = nil
          $0.limit = nil
        }, of: fixture)
      _ = try await run(
        query {
          $0.filter = nil
          $0.orderBy = [Query.Order(.documentName)]
        }, of: fixture)
      try await fixture.engine.tidyIndexes()
    }
    #expect(try count(.indexes, fixture) == 0)
  }

  @Test("an order by the field that has one of several values")
  func orderOfAlternatives() async throws {
    let fixture = try Fixture(indexes: .always)
    for (index, group) in [3, 1, 2, 3, 1, 2].enumerated() {
      try await fixture.commit(
        set(
          "c/\(group)\(index)", ["group": .integer(Int64(group)), "n": .integer(Int64(9 - index))]))
    }
    let found = try await run(
      query {
        $0.filter = .field(fieldPath("group"), .in([.integer(3), .integer(1)]))
        $0.orderBy = [Query.Order(fieldPath("group")), Query.Order(fieldPath("n"))]
        $0.limit = 3
      }, of: fixture)
    #expect(found == ["c/14", "c/11", "c/33"])
  }

  @Test("a collection group")
  func group() async throws {
    let fixture = try Fixture(indexes: .always)
    try await fill(fixture, 1_200) { "p/\($0 % 100)/c" }
    #expect(
      try await run(query(all: true), of: fixture)
        == best.map { "p/7/\($0)" })
    #expect(try count(.entries, fixture) == 1_200)
    try await fixture.commit(set("c/top", ["group": .integer(7), "n": .integer(9_999)]))
    #expect(try await run(query(all: true), of: fixture).first == "c/top")
  }

  @Test("commits while an index is built")
  func building() async throws {
    let fixture = try Fixture(indexes: .always)
    try await fill(fixture, 2_000)
    var expected = Set(stride(from: 7, to: 2_000, by: 100).map { "c/d\(10_000 + $0)" })
    let all = try query { $0.limit = nil }
    async let found = run(all, of: fixture)
    for index in 0..<200 {
      let path = "c/d\(10_000 + index * 10 + 7)"
      if index % 10 == 0 {
        try await fixture.commit(delete(path))
        expected.remove(path)
      } else {
        try await fixture.commit(
          set(path, ["group": .integer(7), "n": .integer(Int64(index))]))
        expected.insert(path)
      }
    }
    _ = try await found
    #expect(Set(try await run(all, of: fixture)) == expected)
    #expect(try count(.entries, fixture) == 1_980)
  }

  @Test("a result that is read page by page stays as it was")
  func pages() async throws {
    let fixture = try Fixture(indexes: .always)
    try await fill(fixture, 3_000)
    let all = try query {
      $0.filter = .field(fieldPath("n"), .greaterThanOrEqual(.integer(0)))
      $0.orderBy = []
      $0.limit = nil
    }
    var run = QueryRun(all, in: fixture.engine, at: nil)
    var found: [String] = []
    var number = 0
    while let page = try await run.next() {
      found += page.documents.map(\.name.path.text)
      for _ in 0..<100 where number < 3_000 {
        try await fixture.commit(
          number % 3 == 0
            ? delete("c/d\(10_000 + 2_999 - number)")
            : set("c/d\(10_000 + number)", ["n": .integer(Int64(3_000 - number))]))
        number += 1
      }
    }
    #expect(found == (0..<3_000).map { "c/d\(10_000 + $0)" })
  }

  @Test("what is too much changed, or loses its index, is found without")
  func lost() async throws {
    let fixture = try Fixture(indexes: .always)
    try await fill(fixture, 1_000)
    let all = try query {
      $0.filter = .field(fieldPath("n"), .greaterThanOrEqual(.integer(0)))
      $0.orderBy = []
      $0.limit = nil
    }
    var run = QueryRun(all, in: fixture.engine, at: nil)
    var found = try #require(try await run.next()).documents.map(\.name.path.text)
    try await fixture.store.write { transaction in
      for pair in try transaction.scan(.indexes, Self.everything, .ascending, limit: 10) {
        try transaction.put(.indexes, pair.key, [2] + pair.value.dropFirst())
      }
    }
    // A new index tells that what is known of the others is old.
    _ = try await self.run(query(), of: fixture)
    while let page = try await run.next() { found += page.documents.map(\.name.path.text) }
    #expect(found == (0..<1_000).map { "c/d\(10_000 + $0)" })
  }

  @Test("indexes outlive the process, cleared databases do not keep theirs")
  func restart() async throws {
    let folder = try TemporaryFolder()
    var store = try await SQLiteStore.open(folder: folder.path, durability: .normal)
    var fixture = try Fixture(store: store, indexes: .always)
    try await fill(fixture, 1_200)
    _ = try await run(query(), of: fixture)
    await store.close()
    store = try await SQLiteStore.open(folder: folder.path, durability: .normal)
    fixture = try Fixture(store: store)
    try await fixture.commit(delete("c/d11107"))
    #expect(try count(.entries, fixture) == 1_199)
    #expect(try await run(query(), of: fixture).first == "c/d11007")
    try await fixture.engine.clear(Fixture.database)
    _ = try await fixture.engine.tidy()
    #expect(try count(.entries, fixture) == 0)
    #expect(try count(.indexes, fixture) == 0)
    #expect(try await run(query(), of: fixture) == [])
    await store.close()
  }

  @Test("an index that nobody uses is dropped, there are not more than 64")
  func bounds() async throws {
    let fixture = try Fixture()
    try await fill(fixture, 1_100)
    for number in 0..<70 {
      let wanted = try query {
        $0.filter = .field(fieldPath("f\(number)"), .equal(.integer(7)))
      }
      for _ in 0..<2 { _ = try await run(wanted, of: fixture) }
      try await fixture.engine.tidyIndexes()
    }
    #expect(try count(.indexes, fixture) == 64)
    for number in 0..<10_001 {
      try await fixture.commit(set("other/x", ["n": .integer(Int64(number))]))
      if number == 5_000 {
        _ = try await run(query { $0.filter = .field(fieldPath("f3"), .isNull) }, of: fixture)
      }
    }
    try await fixture.engine.tidyIndexes()
    #expect(try count(.indexes, fixture) == 1)
  }
}
