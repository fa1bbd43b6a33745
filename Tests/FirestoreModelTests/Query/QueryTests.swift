import Coding
import FirestoreModel
import Testing

private let a = FieldPath(segments: ["a"])
private let b = FieldPath(segments: ["b"])
private let root = ParentName(database: database, document: nil)
private let one = Value.integer(1)

private func query(_ change: (inout StructuredQuery) -> Void) throws(FirestoreError) -> Query {
  try Query(structured(change), parent: root)
}

private func structured(_ change: (inout StructuredQuery) -> Void) -> StructuredQuery {
  var query = StructuredQuery(from: [.init(collectionID: "c")])
  change(&query)
  return query
}

private func aggregation(
  _ aggregations: [Aggregation], _ change: (inout StructuredQuery) -> Void = { _ in }
) throws(FirestoreError) -> AggregationQuery {
  try AggregationQuery(structured(change), parent: root, aggregations)
}

@Suite struct QueryTests {
  @Test func implicitOrders() throws {
    let plain = try query { _ in }
    #expect(plain.orders == [Query.Order(.documentName)])
    let both = try query {
      $0.filter = .and([.field(b, .greaterThan(one)), .field(a, .notEqual(one))])
    }
    #expect(both.orders == [Query.Order(a), Query.Order(b), Query.Order(.documentName)])
    let descending = try query {
      $0.orderBy = [Query.Order(b, .descending)]
      $0.filter = .field(a, .lessThan(one))
    }
    #expect(
      descending.orders
        == [b, a, .documentName].map { Query.Order($0, .descending) })
    let equal = try query { $0.filter = .field(a, .equal(one)) }
    #expect(equal.orders == [Query.Order(.documentName)])
  }

  static let name = Value.reference(DocumentName(database: database, path: path("c/a")))
  static let nearest = FindNearest(
    field: a, vector: .vector([1]), measure: .euclidean, limit: 1)
  static let many = (0..<31).map { Value.integer($0) }

  static let wrong: [(String, @Sendable (inout StructuredQuery) -> Void)] = [
    ("limit is negative", { $0.limit = -1 }), ("offset is negative", { $0.offset = -1 }),
    (
      "StructuredQuery.from cannot have more than one collection selector.",
      { $0.from += $0.from }
    ),
    (
      "Collection id \"x/y\" is invalid because it contains \"/\".",
      { $0.from[0].collectionID = "x/y" }
    ),
    (
      "Equality on key is not allowed if there are other inequality fields and key does not "
        + "appear in inequalities.",
      { $0.filter = .and([.field(.documentName, .in([name])), .field(a, .greaterThan(one))]) }
    ),
    (
      "order by clause cannot contain duplicate fields a",
      { $0.orderBy = [Query.Order(a), Query.Order(a)] }
    ),
    (
      "order by clause cannot contain more fields after the key",
      { $0.orderBy = [Query.Order(.documentName), Query.Order(a)] }
    ),
    (
      "order by clause cannot contain more fields after the key",
      {
        $0.orderBy = [Query.Order(.documentName)]
        $0.filter = .field(a, .greaterThan(one))
      }
    ),
    (
      "Cursor has too many values.", { $0.startAt = Query.Cursor(values: [one], isBefore: true) }
    ),
    (
      "Cursor has too many values.",
      {
        $0.filter = .field(a, .greaterThan(one))
        $0.startAt = Query.Cursor(values: [one], isBefore: true)
      }
    ),
    (
      "Cursor __key__ value is not a document reference.",
      {
        $0.orderBy = [Query.Order(.documentName)]
        $0.endAt = Query.Cursor(values: [one], isBefore: true)
      }
    ),
    ("__key__ filter value must be a Key", { $0.filter = .field(.documentName, .equal(one)) }),
    (
      "the name __key__ is reserved", { $0.filter = .field(.documentName, .arrayContains(name)) }
    ),
    ("'IN' requires an non-empty ArrayValue.", { $0.filter = .field(a, .in([])) }),
    ("'IN' supports up to 30 comparison values.", { $0.filter = .field(a, .in(many)) }),
    (
      "'NOT_IN' supports up to 10 comparison values.",
      { $0.filter = .field(a, .notIn(Array(many.prefix(11)))) }
    ),
    ("Composite filter must have at least one sub-filter.", { $0.filter = .or([]) }),
    (
      "'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'.",
      { $0.filter = .and([.field(a, .notIn([one])), .field(b, .in([one]))]) }
    ),
    (
      "A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction.",
      { $0.filter = .and([.field(a, .arrayContains(one)), .field(b, .arrayContainsAny([one]))]) }
    ),
    (
      "Too many disjunctions after normalization. Result had 42 disjunctions which is more than "
        + "the maximum of 30",
      {
        $0.filter = .and([
          .field(a, .in(Array(many.prefix(6)))), .field(b, .in(Array(many.prefix(7)))),
        ])
      }
    ),
    (
      "The query may not have more than 100 filters + sort orders + ancestor total. Currently "
        + "there are 101 filters, 0 sort orders, and no ancestor filter.",
      { $0.filter = .and((0..<101).map { .field(a, .equal(.integer($0))) }) }
    ),
    (
      "value for a is too large to be used in a query",
      { $0.filter = .field(a, .equal(.bytes(Array(repeating: 0, count: 1_501)))) }
    ),
    (
      "kind is required for all orders except __key__ ascending",
      {
        $0.from = []
        $0.orderBy = [Query.Order(a)]
      }
    ),
    (
      "A query offset cannot be used with FindNearest",
      {
        $0.findNearest = nearest
        $0.offset = 1
      }
    ),
    (
      "A cursor cannot be used with FindNearest",
      {
        $0.findNearest = nearest
        $0.orderBy = [Query.Order(a)]
        $0.endAt = Query.Cursor(values: [one], isBefore: true)
      }
    ),
    (
      "FindNearest.limit must be a positive integer of no more than 1000",
      {
        $0.findNearest = FindNearest(
          field: a, vector: .vector([1]), measure: .euclidean, limit: 0)
      }
    ),
  ]

  @Test(arguments: wrong.indices)
  func errors(_ index: Int) {
    let (message, change) = Self.wrong[index]
    #expect(throws: FirestoreError(.invalidArgument, message)) { try query(change) }
  }

  /// Seen in the official emulator: of equal members of one AND the first counts, on one level alone.
  @Test func equalMembersCountOnce() throws {
    let contains = Filter.field(a, .arrayContains(one))
    let any = Filter.field(a, .arrayContainsAny([one, .string("x")]))
    let equal = Filter.field(b, .equal(one))
    for taken in [
      Filter.and([contains, contains]), .and([contains, equal, contains]), .and([any, any]),
      .or([.and([contains, contains]), equal]), .and([.and([contains, contains]), equal]),
    ] {
      _ = try query { $0.filter = taken }
    }
    for refused in [
      Filter.and([contains, .and([contains])]), .and([contains, any]),
      .and([contains, .or([contains, equal])]),
      .and([contains, .field(a, .arrayContains(.double(1)))]),
    ] {
      #expect(throws: FirestoreError.self) { try query { $0.filter = refused } }
    }
  }

  @Test func deepDistributionSaturates() throws {
    let pair = Filter.or([.field(a, .equal(one)), .field(b, .equal(one))])
    #expect(throws: FirestoreError.self) {
      try query { $0.filter = .and(Array(repeating: pair, count: 1_000)) }
    }
  }

  @Test(arguments: 0..<100)
  func sortKeysSortAsValues(seed: Int) {
    var generator = SeededGenerator(seed)
    for _ in 0..<50 {
      let left = [Value.random(&generator), Value.random(&generator)]
      let right = [
        Bool.random(using: &generator) ? left[0] : .random(&generator), .random(&generator),
      ]
      let paths = [path("c/a"), path("c/a/s/b"), path("c/__id5__")]
      let names = (paths.pick(&generator), paths.pick(&generator))
      for first in [Query.Direction.ascending, .descending] {
        for last in [Query.Direction.ascending, .descending] {
          let expected = directed(Value.compare(left[0], right[0]), first)
            .then(directed(Value.compare(left[1], right[1]), last))
            .then(directed(DocumentPath.compare(names.0, names.1), last))
          #expect(
            Ordering(key(left, names.0, first, last), key(right, names.1, first, last))
              == expected)
        }
      }
    }
  }

  private func directed(_ ordering: Ordering, _ direction: Query.Direction) -> Ordering {
    direction == .ascending ? ordering : ordering.reversed
  }

  private func key(
    _ values: [Value], _ path: DocumentPath, _ first: Query.Direction, _ last: Query.Direction
  ) -> SortKey {
    var key = SortKey()
    key.append(values[0], first)
    key.append(values[1], last)
    key.append(path, last)
    return key
  }

  @Test func longValuesAreCut() {
    let long = { (count: Int, end: String) in
      Value.string(UTF8String(String(repeating: "a", count: count) + end))
    }
    #expect(long(1_499, "").indexed == long(1_499, ""))
    #expect(long(1_499, "x").indexed == long(1_499, "y").indexed)
    #expect(long(1_498, "é").indexed == long(1_498, ""))
    #expect(Value.bytes(Array(repeating: 1, count: 1_500)).indexed.storageSize == 1_500)
    #expect(Value.array([long(2_000, ""), one]).indexed == .array([long(1_499, "")]))
    #expect(map(["a": long(2_000, ""), "b": one]).indexed == map(["a": long(1_497, "")]))
  }

  @Test(
    "a condition that nothing meets orders by nothing",
    arguments: [
      .lessThan(.null), .greaterThanOrEqual(.double(.nan)), .notEqual(.null), .notIn([.null]),
    ] as [Filter.Condition])
  func impossibleConditions(_ condition: Filter.Condition) throws {
    let named = try query {
      $0.filter = .field(a, condition)
      $0.orderBy = [Query.Order(.documentName)]
    }
    #expect(named.orders == [Query.Order(.documentName)])
  }

  static let repeated: [(String, Filter)] = [
    ("conditions beside alternatives count once", .and([.field(b, .in(many20)), all10])),
    ("the same alternative", .or(Array(repeating: .field(a, .equal(one)), count: 40))),
    ("the same condition", .and(Array(repeating: .field(a, .greaterThan(one)), count: 120))),
    (
      "IN and its elements",
      .or([.field(a, .in(many20))] + many20.map { .field(a, .equal($0)) })
    ),
    (
      "either order",
      .or(
        many20.map { .and([.field(a, .equal(one)), .field(b, .equal($0))]) }
          + many20.map { .and([.field(b, .equal($0)), .field(a, .equal(one))]) })
    ),
    (
      "alternatives again and again",
      .and(
        Array(repeating: .or([.field(a, .equal(one)), .field(b, .equal(one))]), count: 50))
    ),
  ]
  static let many20 = Array(many.prefix(20))
  static let all10 = Filter.and(
    (0..<10).map { .field(FieldPath(segments: [UTF8String("f\($0)")]), .equal(one)) })

  @Test("what repeats in a filter counts once", arguments: repeated)
  func repetitions(_ title: String, _ filter: Filter) throws {
    _ = try query { $0.filter = filter }
  }

  @Test func equalityOfTheNameBesideItsInequality() throws {
    let both = try query {
      $0.filter = .and([
        .field(.documentName, .equal(Self.name)), .field(.documentName, .notEqual(Self.name)),
        .field(a, .greaterThan(one)),
      ])
    }
    #expect(both.orders == [Query.Order(a), Query.Order(.documentName)])
  }

  @Test("aggregated fields order behind the rest and before the name")
  func aggregationOrders() throws {
    let sums = [
      Aggregation(alias: "", .sum(b)), Aggregation(alias: "", .average(a)),
      Aggregation(alias: "", .sum(a)),
    ]
    let plain = try aggregation(sums)
    #expect(plain.fields == [a, b])
    #expect(plain.query.orders == [a, b, .documentName].map { Query.Order($0) })
    let descending = try aggregation(sums) { $0.orderBy = [Query.Order(b, .descending)] }
    #expect(
      descending.query.orders == [b, a, .documentName].map { Query.Order($0, .descending) })
  }

  @Test("fields of all collections can be aggregated, but not of those within a document")
  func aggregationSources() throws {
    let sum = [Aggregation(alias: "", .sum(a))]
    let document = ParentName(database: database, document: path("c/a"))
    let all = StructuredQuery(from: [.init(collectionID: "")])
    let below = StructuredQuery(from: [.init(collectionID: "", allDescendants: true)])
    for (query, parent) in [(all, root), (all, document), (below, root)] {
      let query = try AggregationQuery(query, parent: parent, sum).query
      #expect(query.orders == [Query.Order(a), Query.Order(.documentName)])
    }
    #expect(throws: FirestoreError.self) {
      try AggregationQuery(below, parent: document, sum)
    }
  }

  static let unaggregated: [(String, @Sendable (inout StructuredQuery) -> Void)] = [
    (
      "This query requires an index that has fields [a] after __name__ and Firestore does not "
        + "currently support such an index. Please try the query again with additional ordering "
        + "on those fields.",
      { $0.orderBy = [Query.Order(b), Query.Order(.documentName)] }
    ),
    (
      "Aggregation over non-key properties is not supported for base query that only returns "
        + "keys.",
      { $0.select = FieldMask([]) }
    ),
    (
      "The aggregation property a is not present in the base query's property mask.",
      { $0.select = FieldMask([b]) }
    ),
    (
      "Cannot apply property masks when aggregation fields are present.",
      { $0.select = FieldMask([a]) }
    ),
    ("limit is negative", { $0.limit = -1 }),
    (
      "The aggregation property a is not present in the base query's property mask.",
      {
        $0.select = FieldMask([b])
        $0.limit = -1
      }
    ),
    (
      "This query requires an index that has fields [a] after __name__ and Firestore does not "
        + "currently support such an index. Please try the query again with additional ordering "
        + "on those fields.",
      { $0.orderBy = [Query.Order(.documentName), Query.Order(b)] }
    ),
  ]

  @Test("queries whose fields can't be aggregated", arguments: unaggregated)
  func refusedAggregations(
    _ text: String, _ change: @Sendable (inout StructuredQuery) -> Void
  ) throws {
    #expect(throws: FirestoreError(.invalidArgument, text)) {
      try aggregation([Aggregation(alias: "", .sum(a))], change)
    }
  }

  @Test func aggregationAliases() throws {
    let counts = try aggregation(
      [Aggregation(alias: "", .count(upTo: nil)), Aggregation(alias: "x", .sum(a))])
    #expect(counts.aggregations.map(\.alias) == ["field_1", "x"])
    #expect(
      throws: FirestoreError(
        .invalidArgument, "Aggregation aliases contain duplicate alias: field_1.")
    ) {
      try aggregation(
        [
          Aggregation(alias: "field_1", .count(upTo: nil)),
          Aggregation(alias: "", .count(upTo: nil)),
        ])
    }
  }
}
