package import Coding
internal import FirestoreEngine
package import FirestoreModel

/// A part of the results of a query.
package struct QueryAnswer: Sendable {
  /// In the order of the query.
  package var documents: [Document]
  /// How many results the offset skipped, told once and not behind the first document.
  package var skippedResults: Int
  /// The moment that was looked at; the same in all parts.
  package var readTime: Timestamp
  /// The id of the transaction that was begun, in the first part.
  package var transaction: [UInt8]?
}

/// The result of an aggregation query.
package struct AggregationResult: Sendable {
  /// In the order of the query.
  package var values: [(alias: UTF8String, value: Value)]
  /// The moment that was looked at.
  package var readTime: Timestamp
  /// How many documents were counted.
  package var count: Int
  /// The id of the transaction that was begun.
  package var transaction: [UInt8]?
}

extension FirestoreOperations {
  /// RunQuery: hands the results to `receive` part by part, at least one part, which may be empty.
  ///
  /// - Throws: `UNAVAILABLE`, what the consistency gives, and what `receive` throws.
  package func runQuery(
    _ query: Query, consistency: ReadConsistency, as principal: Principal,
    receive: (QueryAnswer) async throws(FirestoreError) -> Void
  ) async throws(FirestoreError) {
    try await authorize(.query(query), at: consistency, as: principal)
    try await read(query.database, consistency, .matching(Predicate(query))) {
      (point, began) async throws(FirestoreError) in
      try await run(QueryRun(query, in: engine, at: point), began, receive)
    }
  }

  private func run(
    _ run: QueryRun, _ began: [UInt8]?,
    _ receive: (QueryAnswer) async throws(FirestoreError) -> Void
  ) async throws(FirestoreError) {
    var run = run
    var isFirst = true
    while true {
      let page = try await run.next()
      guard let point = run.point, page != nil || isFirst else { return }
      try await receive(
        QueryAnswer(
          documents: page?.documents ?? [], skippedResults: page?.skipped ?? 0,
          readTime: point.time, transaction: isFirst ? began : nil))
      isFirst = false
      if page == nil { return }
    }
  }

  /// RunAggregationQuery.
  ///
  /// - Throws: `UNAVAILABLE`, and what the consistency gives.
  package func runAggregationQuery(
    _ query: AggregationQuery, consistency: ReadConsistency, as principal: Principal
  ) async throws(FirestoreError) -> AggregationResult {
    try await authorize(.query(query.query), at: consistency, as: principal)
    return try await read(query.query.database, consistency, .matching(Predicate(query.query))) {
      (point, began) async throws(FirestoreError) in
      let answer = try await engine.aggregate(query, at: point)
      return AggregationResult(
        values: answer.values, readTime: answer.point.time, count: answer.count,
        transaction: began)
    }
  }
}
