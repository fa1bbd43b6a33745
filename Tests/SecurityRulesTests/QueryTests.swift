import Testing

@testable import SecurityRules

/// What filters prove.
@Suite struct QueryTests {
  typealias Condition = (RulesFilter.Comparison, RulesValue)

  static let filters: [[Condition]] = [
    [(.lessThan, .int(5))], [(.lessThanOrEqual, .int(5))], [(.greaterThan, .int(5))],
    [(.greaterThanOrEqual, .int(5))], [(.notEqual, .int(5))],
    [(.isNotIn, .list([.int(5), .int(6)]))],
    [(.greaterThan, .int(1)), (.lessThan, .int(5))],
    [(.greaterThanOrEqual, .int(5)), (.lessThanOrEqual, .int(5))], [(.equal, .int(5))],
  ]

  @Test(
    "the table of comparisons; ? is not proved, n is false",
    arguments: [
      ("a < 5", "y?????y?n"), ("a <= 5", "yy????yyy"), ("a < 6", "yy????yyy"),
      ("a > 5", "??y?????n"), ("a >= 5", "??yy???yy"), ("a > 4", "??yy???yy"),
      ("a != 5", "y?y?yyy?n"), ("a != 9", "yy????yyy"), ("a == 5", "????????y"),
      ("a < 100 && a > -100", "??????yyy"), ("a < 5 || a >= 5", "y?yy??yyy"),
      ("!(a >= 5)", "??nn???nn"), ("a != null", "yyyyyyyyy"), ("a == null", "????????n"),
      ("a in [5,6]", "nnnnnnnny"), ("!(a in [7])", "yyyyyyyyy"), ("a is int", "nnnnnnnny"),
      ("a is constraint", "yyyyyyyyn"), ("5 > a", "y?????y?n"),
    ])
  func proofs(_ condition: String, _ expected: String) throws {
    let text = condition.replacing(#/\ba\b/#, with: "resource.data.a")
    let shelf = try Shelf.rules("allow list: if \(text);")
    let outcomes = Self.filters.map { conditions -> Character in
      let filter = RulesFilter.and(conditions.map { .field(["a"], $0.0, $0.1) })
      let message = shelf.list(RulesQuery(parent: [], collectionID: "t", filter: filter))
      switch message {
      case nil: return "y"
      case "\nfalse for 'list' @ L5": return "n"
      default: return message?.hasPrefix("\nevaluation error") == true ? "?" : "e"
      }
    }
    #expect(String(outcomes) == expected)
  }

  @Test(
    "fields that no filter names are missing",
    arguments: [
      (RulesFilter?.none, "\nProperty o is undefined on object. for 'list' @ L5"),
      (.field(["o"], .equal, .string("alice")), nil),
      (.field(["o"], .equal, .string("bob")), "\nfalse for 'list' @ L5"),
      (.field(["o"], .isIn, .list([.string("alice")])), nil),
      (
        .field(["o"], .isIn, .list([.string("alice"), .string("bob")])),
        "\nfalse for 'list' @ L5, false for 'list' @ L5"
      ),
      (.field(["o"], .notEqual, .string("bob")), "\nevaluation error at L5:22 for 'list' @ L5"),
      (
        .or([.field(["o"], .equal, .string("alice")), .field(["a"], .equal, .int(0))]),
        "\nfalse for 'list' @ L5, Property o is undefined on object. for 'list' @ L5"
      ),
    ] as [(RulesFilter?, String?)])
  func owners(_ filter: RulesFilter?, _ expected: String?) throws {
    let shelf = try Shelf.rules("allow list: if resource.data.o == 'alice';")
    #expect(shelf.list(RulesQuery(parent: [], collectionID: "t", filter: filter)) == expected)
  }

  @Test("the numbers of a query")
  func numbers() throws {
    let shelf = try Shelf.rules("allow list: if request.query.limit <= 10;")
    #expect(shelf.list(RulesQuery(parent: [], collectionID: "t", limit: 10)) == nil)
    #expect(
      shelf.list(RulesQuery(parent: [], collectionID: "t", limit: 11)) == "\nfalse for 'list' @ L5")
    #expect(
      shelf.list(RulesQuery(parent: [], collectionID: "t"))?.contains("null <= int") == true)
  }

  @Test(
    "collection groups need a pattern that fits all of them",
    arguments: [
      ("/t/{x}", false, true), ("/{p=**}/t/{x}", true, true), ("/{p=**}", true, true),
      ("/t/{p=**}", false, true),
    ])
  func groups(_ pattern: String, _ group: Bool, _ collection: Bool) throws {
    let ruleset = Ruleset(
      name: "",
      content: """
        rules_version = '2';
        service cloud.firestore { match /databases/{db}/documents {
          match \(pattern) { allow list; }
        } }
        """)
    let shelf = Shelf(rules: try #require(ServiceRules(firestore: ruleset)))
    let whole = RulesQuery(parent: [], collectionID: "t", allDescendants: true)
    #expect((shelf.list(whole) == nil) == group)
    #expect((shelf.list(RulesQuery(parent: [], collectionID: "t")) == nil) == collection)
  }

  @Test("documents that rules look at are read only where that decides")
  func lookups() throws {
    let shelf = try Shelf.rules(
      "allow list: if exists(/databases/$(database)/documents/d/$(resource.data.o));")
    #expect(
      shelf.list(RulesQuery(parent: [], collectionID: "t"))
        == "\nProperty o is undefined on object. for 'list' @ L5")
    let filter = RulesFilter.field(["o"], .equal, .string("x"))
    #expect(
      shelf.list(RulesQuery(parent: [], collectionID: "t", filter: filter))
        == "\nevaluation error at L5:22 for 'list' @ L5, false for 'list' @ L5")
  }

  @Test("documents that a filter names are judged one by one")
  func names() throws {
    let shelf = try Shelf.rules("allow list: if id == 'd' && resource.data.a == 1;")
    func query(_ id: String) -> RulesQuery {
      let path = RulesPath(["databases", "(default)", "documents", "t", id])
      return RulesQuery(
        parent: [], collectionID: "t",
        filter: .field(["__name__"], .equal, .path(path)))
    }
    #expect(shelf.list(query("d")) == nil)
    #expect(shelf.list(query("e")) != nil)
    #expect(shelf.list(RulesQuery(parent: [], collectionID: "t"))?.contains("Null value") == true)
  }
}
