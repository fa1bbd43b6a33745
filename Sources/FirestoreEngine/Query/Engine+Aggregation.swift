package import Coding
package import FirestoreModel

/// What an aggregation query found.
package struct AggregationAnswer: Sendable {
  /// In the order of the query.
  package var values: [(alias: UTF8String, value: Value)]
  /// The moment that was looked at.
  package var point: ReadPoint
  /// How many documents took part.
  package var count: Int
}

extension Engine {
  /// Runs the query and aggregates what it finds.
  package func aggregate(
    _ query: AggregationQuery, at point: ReadPoint?
  ) async throws(FirestoreError) -> AggregationAnswer {
    if let answer = try knownCount(query, at: point) { return answer }
    if let answer = try await indexedCount(query, at: point) { return answer }
    var run = QueryRun(query.query, in: self, at: point, required: query.fields, isOrdered: false)
    var count: Int64 = 0
    var totals = query.aggregations.map { _ in NumberTotal() }
    while let page = try await run.next() {
      for document in page.documents {
        count += 1
        for (index, aggregation) in query.aggregations.enumerated() {
          guard let path = aggregation.path, let value = try document.fields.value(at: path)
          else { continue }
          totals[index].add(value)
        }
      }
    }
    guard let point = run.point else { throw FirestoreError(.internalError, "Internal error.") }
    return AggregationAnswer(
      values: zip(query.aggregations, totals).map { ($0.alias, $0.result(count, $1)) },
      point: point, count: Int(count))
  }

  /// Counts alone of a whole collection are kept with it.
  private func knownCount(
    _ query: AggregationQuery, at point: ReadPoint?
  ) throws(FirestoreError) -> AggregationAnswer? {
    let inner = query.query
    guard case .collection(let collection) = inner.source, query.fields.isEmpty,
      inner.filter == nil, inner.isInNameOrder, inner.start == nil, inner.end == nil
    else { return nil }
    if point == nil, let (count, point) = try documentCount(in: collection, of: inner.database) {
      return query.answer(counting: count, at: point)
    }
    return try read(inner.database, at: point) { view in
      guard !view.isPast else { return nil }
      return query.answer(counting: try view.documentCount(in: collection), at: view.point)
    }
  }
}

extension AggregationQuery {
  /// The answer where there are only counts, and `found` documents before offset and limit.
  func answer(counting found: Int, at point: ReadPoint) -> AggregationAnswer {
    let behind = max(0, found - query.offset)
    let count = min(behind, query.limit ?? behind)
    return AggregationAnswer(
      values: aggregations.map { ($0.alias, $0.result(Int64(count), NumberTotal())) },
      point: point, count: count)
  }
}

extension Aggregation {
  fileprivate func result(_ count: Int64, _ total: NumberTotal) -> Value {
    switch operation {
    case .count(let upTo): .integer(min(count, upTo ?? count))
    case .sum: total.sum
    case .average: total.average
    }
  }
}

/// The sum of the numbers among some values. Integers are added exactly.
private struct NumberTotal {
  private var count = 0
  private var integers: Int128 = 0
  private var doubles = 0.0
  private var hasDouble = false

  mutating func add(_ value: Value) {
    switch value {
    case .integer(let integer): integers += Int128(integer)
    case .double(let double):
      doubles += double
      hasDouble = true
    case .null, .boolean, .timestamp, .string, .bytes, .reference, .geoPoint, .array, .vector,
      .map:
      return
    }
    count += 1
  }

  /// An integer if all are integers and the sum is one.
  var sum: Value {
    guard !hasDouble, let integer = Int64(exactly: integers) else { return Value(total) }
    return .integer(integer)
  }

  /// Null of nothing.
  var average: Value {
    count == 0 ? .null : Value(total / Double(count))
  }

  private var total: Double { doubles + Double(integers) }
}
