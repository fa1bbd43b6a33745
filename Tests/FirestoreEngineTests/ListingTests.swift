import Coding
import FirestoreEngine
import FirestoreModel
import Testing

@Suite("Listings")
struct ListingTests {
  private func fixture() async throws -> Fixture {
    let fixture = try Fixture()
    try await fixture.engine.commit(
      Fixture.database,
      (0..<10).map { index in
        set("c/d\(index)", ["n": .integer(Int64(index % 5)), "odd": .boolean(index % 2 == 1)])
      } + [set("c/x"), set("b/1"), set("c/d3/s/1"), set("c/gone/s/1"), set("e/1")])
    return fixture
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var orderBy = ""
    var collection: String? = "c"
    var showsMissing = false
    let expected: [String]
  }

  static let cases: [Case] = [
    Case(
      testDescription: "by name",
      expected: (0..<10).map { "c/d\($0)" } + ["c/x"]),
    Case(
      testDescription: "by name, descending", orderBy: "__name__ desc",
      expected: ["c/x"] + (0..<10).reversed().map { "c/d\($0)" }),
    Case(
      testDescription: "by a field, without those that lack it", orderBy: "n",
      expected: [0, 5, 1, 6, 2, 7, 3, 8, 4, 9].map { "c/d\($0)" }),
    Case(
      testDescription: "by a field, descending, names too", orderBy: "n DESC",
      expected: [9, 4, 8, 3, 7, 2, 6, 1, 5, 0].map { "c/d\($0)" }),
    Case(
      testDescription: "by two fields and the name", orderBy: "odd desc, n, __name__ desc",
      expected: [5, 1, 7, 3, 9, 0, 6, 2, 8, 4].map { "c/d\($0)" }),
    Case(
      testDescription: "with missing ones", showsMissing: true,
      expected: (0..<10).map { "c/d\($0)" } + ["(c/gone)", "c/x"]),
    Case(
      testDescription: "all collections", collection: nil,
      expected: ["b/1"] + (0..<10).map { "c/d\($0)" } + ["c/x", "e/1"]),
    Case(
      testDescription: "all collections, descending", orderBy: "__name__ desc", collection: nil,
      expected: ["e/1", "c/x"] + (0..<10).reversed().map { "c/d\($0)" } + ["b/1"]),
    Case(testDescription: "nothing", collection: "none", expected: []),
  ]

  @Test(arguments: cases, [1, 3, 4, 100])
  func pages(_ example: Case, size: Int) async throws {
    let fixture = try await fixture()
    var found: [String] = []
    var position: DocumentListing.Position?
    repeat {
      let page = try await fixture.list(
        example.collection, orderBy: example.orderBy, showsMissing: example.showsMissing,
        from: position, limit: size)
      #expect(page.entries.count == size || page.end == nil)
      found += page.paths
      position = page.end
    } while position != nil
    #expect(found == example.expected)
  }

  @Test("a full last page is followed by an empty one")
  func exactPage() async throws {
    let fixture = try await fixture()
    for order in ["", "__name__ desc", "n"] {
      let size = order == "n" ? 10 : 11
      let page = try await fixture.list("c", orderBy: order, limit: size)
      let end = try #require(page.end)
      let next = try await fixture.list("c", orderBy: order, from: end, limit: size)
      #expect(page.entries.count == size && next.entries.isEmpty && next.end == nil)
    }
  }

  @Test(
    "orders that are refused",
    arguments: [
      ("n descending", "Invalid order by clause \"n descending\"."),
      ("n,", "Invalid order by clause \"n,\"."),
      ("a..b", "Invalid order by clause \"a..b\"."),
      ("n desc asc", "Invalid order by clause \"n desc asc\"."),
      ("__name__, n", "order by clause cannot contain more fields after the key"),
      ("n, n desc", "order by clause cannot contain duplicate fields n"),
    ])
  func refusedOrders(_ text: String, _ message: String) {
    let error = #expect(throws: FirestoreError.self) { try ListOrder.parse(text) }
    #expect(error == .invalidArgument(message))
  }

  @Test("quoted names in orders")
  func quotedOrders() throws {
    let orders = try ListOrder.parse(" `a, b` desc , c.d  ASC")
    #expect(orders.map(\.path.segments) == [["a, b"], ["c", "d"]])
    #expect(orders.map(\.isDescending) == [true, false])
  }

  @Test("collection ids include those that only have documents further below")
  func collectionIDs() async throws {
    let fixture = try await fixture()
    try await fixture.commit(set("deep/x/deeper/y"), set("é/1"), set("C/1"))
    #expect(try fixture.collectionIDs() == ["C", "b", "c", "deep", "e", "é"])
    #expect(try fixture.collectionIDs(of: "deep/x") == ["deeper"])
    #expect(try fixture.collectionIDs(of: "c/d3") == ["s"])
    let point = try fixture.engine.read(Fixture.database) { $0.point }
    try await fixture.commit(delete("deep/x/deeper/y"), delete("e/1"), set("f/1"))
    #expect(try fixture.collectionIDs() == ["C", "b", "c", "f", "é"])
    #expect(try fixture.collectionIDs(at: point) == ["C", "b", "c", "deep", "e", "é"])
  }
}
