import Coding
import FirestoreEngine
import FirestoreModel
import HibachiTesting
import KeyValue
import Testing

private func structured(
  _ collection: String, all: Bool = false, _ change: (inout StructuredQuery) -> Void = { _ in }
) -> StructuredQuery {
  var query = StructuredQuery(
    from: [.init(collectionID: UTF8String(collection), allDescendants: all)])
  change(&query)
  return query
}

private func query(
  _ collection: String, in parent: String? = nil, all: Bool = false,
  _ change: (inout StructuredQuery) -> Void = { _ in }
) throws -> Query {
  try Query(
    structured(collection, all: all, change),
    parent: ParentName(database: Fixture.database, document: parent.map { name($0).path }))
}

extension Fixture {
  fileprivate func run(
    _ query: Query, at point: ReadPoint? = nil
  ) async throws -> (paths: [String], skipped: Int) {
    var run = QueryRun(query, in: engine, at: point)
    var paths: [String] = []
    var skipped = 0
    while let page = try await run.next() {
      paths += page.documents.map(\.name.path.text)
      skipped += page.skipped
    }
    #expect(run.point != nil)
    return (paths, skipped)
  }
}

@Suite("Queries by scanning")
struct QueryRunTests {
  @Test("every source, in the order of names")
  func sources() async throws {
    let fixture = try Fixture()
    let paths = [
      "c/__id3__", "c/a", "c/a/c/x", "c/a/d/y", "c/b", "c/m/c/z", "d/a/c/k/c/l", "x/c",
    ]
    for path in paths { try await fixture.commit(set(path)) }
    let run = { (query: Query) in try await fixture.run(query).paths }
    #expect(try await run(query("c")) == ["c/__id3__", "c/a", "c/b"])
    #expect(try await run(query("c", in: "c/a")) == ["c/a/c/x"])
    #expect(try await run(query("none")) == [])
    #expect(
      try await run(query("c", all: true))
        == ["c/__id3__", "c/a", "c/a/c/x", "c/b", "c/m/c/z", "d/a/c/k", "d/a/c/k/c/l"]
        .filter { $0 != "d/a/c/k" })
    #expect(try await run(query("c", in: "d/a", all: true)) == ["d/a/c/k/c/l"])
    #expect(try await run(query("")) == ["c/__id3__", "c/a", "c/b", "x/c"])
    #expect(try await run(query("", in: "c/a")) == ["c/a/c/x", "c/a/d/y"])
    #expect(try await run(query("", all: true)) == paths)
    #expect(try await run(query("", in: "c/a", all: true)) == ["c/a/c/x", "c/a/d/y"])
  }

  @Test("more rows than a step, with limit and offset")
  func manySteps() async throws {
    let fixture = try Fixture()
    for start in stride(from: 0, to: 1_000, by: 100) {
      _ = try await fixture.engine.commit(
        Fixture.database,
        (start..<start + 100).map { set("c/\($0 + 1000)", ["n": .integer(Int64(-$0))]) })
    }
    let names = (1_000..<2_000).map { "c/\($0)" }
    let order = Query.Order(fieldPath("n"))
    #expect(try await fixture.run(query("c")).paths == names)
    #expect(try await fixture.run(query("c") { $0.orderBy = [order] }).paths == names.reversed())
    let skipping = try await fixture.run(
      query("c") {
        $0.offset = 700
        $0.limit = 2
      })
    #expect(skipping.paths == ["c/1700", "c/1701"])
    #expect(skipping.skipped == 700)
    let top = try await fixture.run(
      query("c") {
        $0.orderBy = [order]
        $0.offset = 3
        $0.limit = 300
      })
    #expect(top.paths == Array(names.reversed()[3..<303]))
    #expect(try await fixture.run(query("c") { $0.offset = 2_000 }).skipped == 1_000)
    let filtered = try query("c") { $0.filter = .field(fieldPath("n"), .equal(.integer(-990))) }
    #expect(try await fixture.run(filtered).paths == ["c/1990"])
  }

  @Test("the past stays as it was while pages are read")
  func past() async throws {
    let fixture = try Fixture()
    for index in 0..<600 { try await fixture.commit(set("g/\(index)/c/x", ["n": .integer(1)])) }
    var run = QueryRun(try query("c", all: true), in: fixture.engine, at: nil)
    var count = try await run.next()?.documents.count ?? 0
    for index in 0..<600 { try await fixture.commit(delete("g/\(index)/c/x")) }
    while let page = try await run.next() { count += page.documents.count }
    #expect(count == 600)
    #expect(try await fixture.run(query("c", all: true)).paths == [])
    #expect(try await fixture.run(query("c", all: true), at: run.point).paths.count == 600)
  }

  @Test("nearest vectors")
  func nearest() async throws {
    let fixture = try Fixture()
    try await fixture.commit(
      set("c/a", ["v": .vector([1, 0])]), set("c/b", ["v": .vector([0, 1])]),
      set("c/c", ["v": .vector([3, 0])]), set("c/d", ["v": .vector([1])]),
      set("c/e", ["v": .vector([0, 0])]), set("c/f", ["v": .integer(1)]))
    let run = { (measure: FindNearest.Measure, threshold: Double?) in
      try await fixture.run(
        query("c") {
          $0.findNearest = FindNearest(
            field: fieldPath("v"), vector: .vector([1, 0]), measure: measure, limit: 3,
            threshold: threshold)
        }
      ).paths
    }
    #expect(try await run(.euclidean, nil) == ["c/a", "c/e", "c/b"])
    #expect(try await run(.euclidean, 1) == ["c/a", "c/e"])
    #expect(try await run(.dotProduct, nil) == ["c/c", "c/a", "c/b"])
    #expect(try await run(.dotProduct, 1) == ["c/c", "c/a"])
    #expect(try await run(.cosine, nil) == ["c/a", "c/c", "c/b"])
    try await fixture.commit(
      set("d/a", ["v": .vector([1, 0]), "n": .integer(2)]),
      set("d/b", ["v": .vector([1, 0]), "n": .integer(1)]))
    let tied = try query("d") {
      $0.orderBy = [Query.Order(fieldPath("n"))]
      $0.findNearest = FindNearest(
        field: fieldPath("v"), vector: .vector([1, 0]), measure: .cosine, limit: 2)
    }
    #expect(try await fixture.run(tied).paths == ["d/b", "d/a"])
    var telling = QueryRun(
      try query("c") {
        $0.select = FieldMask([fieldPath("dist")])
        $0.findNearest = FindNearest(
          field: fieldPath("v"), vector: .vector([1, 0]), measure: .euclidean, limit: 1,
          resultField: fieldPath("dist"))
      }, in: fixture.engine, at: nil)
    let found = try await telling.next()?.documents.first?.values
    #expect(found == ["dist": .double(0)])
  }

  @Test("aggregations")
  func aggregations() async throws {
    let fixture = try Fixture()
    try await fixture.commit(
      set("c/a", ["n": .integer(.max), "x": .integer(1)]),
      set("c/b", ["n": .integer(1), "x": .double(0.5)]),
      set("c/c", ["n": .integer(-101), "x": .string("s")]), set("c/d", ["n": .integer(7)]))
    let aggregate = { (aggregations: [Aggregation.Operation], query: StructuredQuery) in
      try await fixture.engine.aggregate(
        AggregationQuery(
          query, parent: ParentName(database: Fixture.database, document: nil),
          aggregations.map { Aggregation(alias: "", $0) }), at: nil
      ).values.map(\.value)
    }
    let (n, x) = (fieldPath("n"), fieldPath("x"))
    #expect(try await aggregate([.count(upTo: nil)], structured("c")) == [.integer(4)])
    #expect(try await aggregate([.count(upTo: 2)], structured("c")) == [.integer(2)])
    #expect(
      try await aggregate(
        [.count(upTo: nil)],
        structured("c") {
          $0.offset = 1
          $0.limit = 2
        }) == [.integer(2)])
    #expect(
      try await aggregate([.sum(n), .count(upTo: nil)], structured("c"))
        == [.integer(.max - 93), .integer(4)])
    #expect(
      try await aggregate([.sum(x), .average(x), .count(upTo: nil)], structured("c"))
        == [.double(1.5), .double(0.75), .integer(3)])
    #expect(
      try await aggregate([.sum(x), .average(x)], structured("none")) == [.integer(0), .null])
    #expect(
      try await aggregate(
        [.count(upTo: nil)], structured("c") { $0.filter = .field(n, .lessThan(.integer(2))) })
        == [.integer(2)])
  }
}
