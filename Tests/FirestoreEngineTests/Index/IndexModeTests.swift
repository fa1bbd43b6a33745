import Coding
import FirestoreEngine
import FirestoreModel
import HibachiTesting
import KeyValue
import KeyValueSQLite
import Testing

/// Queries are answered the same whether there are indexes or not.
@Suite("Answers with and without indexes")
struct IndexModeTests {
  /// Values whose beginnings alone are in an index, and those that are like these beginnings.
  static let long: [Value] =
    [1_400, 1_498, 1_499, 1_500, 1_600].map {
      .string(UTF8String(String(repeating: "x", count: $0)))
    }
    + [1_499, 1_500, 2_000].map { .bytes(Array(repeating: 7, count: $0)) }
    + [
      .map(["k": .string(UTF8String(String(repeating: "x", count: 1_600)))]),
      .array([.string(UTF8String(String(repeating: "x", count: 1_600))), .integer(1)]),
      .vector(Array(repeating: 1, count: 3)), .vector(Array(repeating: 1, count: 190)),
      .array([.integer(1), .string("a"), .integer(1)]), .timestamp(Timestamp(microseconds: 5)),
      .integer(.max), .double(0x1p63), .integer(-1), .double(-0.0), .double(.infinity),
      .reference(name("c/a")), .geoPoint(GeoPoint(latitude: 1, longitude: 2)), .bytes([]),
    ]

  /// What a query is answered: names, skipped results and the count.
  private func answer(
    _ query: StructuredQuery, of fixture: Fixture, at point: ReadPoint? = nil
  ) async throws -> ([String], Int, Value?) {
    var run = QueryRun(
      try Query(query, parent: QueryGenerator.root), in: fixture.engine, at: point)
    var names: [String] = []
    var skipped = 0
    while let page = try await run.next() {
      names += page.documents.map(\.name.path.text)
      skipped += page.skipped
    }
    let count = try await fixture.engine.aggregate(
      AggregationQuery(
        query, parent: QueryGenerator.root, [Aggregation(alias: "n", .count(upTo: nil))]), at: point
    )
    return (names, skipped, count.values.first?.value)
  }

  private func compare(_ seed: Int, _ other: Fixture, _ values: [Value]) async throws {
    var generator = QueryGenerator(seed: seed)
    if !values.isEmpty { generator.values = values }
    let plain = try Fixture(indexes: .never)
    var moments: [(ReadPoint, ReadPoint)] = []
    for path in QueryGenerator.paths where generator.random.int(0...4) > 0 {
      let fields = generator.fields()
      for fixture in [plain, other] { try await fixture.commit(set(path, fields)) }
    }
    for _ in 0..<40 {
      let path = QueryGenerator.paths[generator.random.int(0...QueryGenerator.paths.count - 1)]
      let write = generator.random.once(in: 4) ? delete(path) : set(path, generator.fields())
      for fixture in [plain, other] { try await fixture.commit(write) }
      moments.append((plain.engine.readPoint, other.engine.readPoint))
      let query = generator.structuredQuery()
      guard (try? Query(query, parent: QueryGenerator.root)) != nil else { continue }
      let expected = try await answer(query, of: plain)
      let found = try await answer(query, of: other)
      #expect(found == expected, "\(query)")
      let (past, otherPast) = moments[generator.random.int(0...moments.count - 1)]
      let before = try await answer(query, of: plain, at: past)
      let beforeFound = try await answer(query, of: other, at: otherPast)
      #expect(beforeFound == before, "at an earlier time: \(query)")
    }
  }

  @Test("in memory", arguments: 0..<60)
  func inMemory(seed: Int) async throws {
    try await compare(seed, try Fixture(indexes: .always), [])
  }

  @Test("of values that are long or odd", arguments: 0..<60)
  func oddValues(seed: Int) async throws {
    try await compare(seed, try Fixture(indexes: .always), Self.long)
  }

  @Test("in a data folder", arguments: 0..<4)
  func inFolder(seed: Int) async throws {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStore.open(folder: folder.path, durability: .normal)
    try await compare(seed, try Fixture(store: store, indexes: .always), [])
    await store.close()
  }
}
