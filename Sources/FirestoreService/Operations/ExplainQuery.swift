internal import FirestoreEngine
package import FirestoreModel

/// Whether a client wants to know how its query is answered.
package enum Explanation: Hashable, Sendable {
  case omitted
  /// The plan alone; nothing is run.
  case plan
  /// The plan and what running it took, behind the results.
  case analysis
}

/// How a query is answered: `ExplainMetrics`.
package struct QueryMetrics: Sendable {
  /// An index that production answers the query from.
  package struct Index: Hashable, Sendable {
    /// `Collection`, `Collection group` or `Includes ancestors`.
    package var scope: String
    /// `(a ASC, __name__ ASC)`.
    package var properties: String
  }

  package var indexes: [Index]
  /// `nil` where nothing was run.
  package var statistics: QueryStatistics?

  fileprivate init(_ query: Query, _ statistics: QueryStatistics? = nil) {
    self.indexes = QueryPlanSummary(query).indexes.map {
      Index(scope: $0.scope, properties: $0.properties)
    }
    self.statistics = statistics
  }
}

/// What production charges for a query: one read for each document, or for up to 1,000 entries of an index.
package struct QueryStatistics: Hashable, Sendable {
  package var results = 0
  package var microseconds: Int64 = 0
  package var documents = 0
  package var entries = 0
  /// Entries of the vector index.
  package var vectors = 0

  package init() {}

  /// Entries count where no document is read for them, and those of vectors by the hundred; nothing costs one too.
  package var reads: Int {
    let entries = documents == 0 ? (entries + 999) / 1_000 : 0
    return max(1, documents + entries + (vectors + 99) / 100)
  }
}

extension FirestoreOperations {
  /// RunQuery with an explanation: `receive` gets nothing where only the plan is asked for.
  ///
  /// - Throws: as `runQuery`.
  package func explainQuery(
    _ query: Query, _ explanation: Explanation, consistency: ReadConsistency,
    as principal: Principal, receive: (QueryAnswer) async throws(FirestoreError) -> Void
  ) async throws(FirestoreError) -> QueryMetrics? {
    switch explanation {
    case .omitted:
      try await runQuery(query, consistency: consistency, as: principal, receive: receive)
      return nil
    case .plan:
      try await authorize(.query(query), as: principal)
      return QueryMetrics(query)
    case .analysis: break
    }
    var statistics = QueryStatistics()
    let start = engine.timeOfDay
    try await runQuery(query, consistency: consistency, as: principal) {
      (answer) throws(FirestoreError) in
      statistics.results += answer.documents.count
      statistics.documents += answer.documents.count + answer.skippedResults
      try await receive(answer)
    }
    statistics.entries = statistics.documents
    if query.nearest != nil { statistics.vectors = statistics.documents }
    statistics.microseconds = max(1, engine.timeOfDay - start)
    return QueryMetrics(query, statistics)
  }

  /// RunAggregationQuery with an explanation; no result where only the plan is asked for.
  ///
  /// - Throws: as `runAggregationQuery`.
  package func explainAggregationQuery(
    _ query: AggregationQuery, _ explanation: Explanation, consistency: ReadConsistency,
    as principal: Principal
  ) async throws(FirestoreError) -> (result: AggregationResult?, metrics: QueryMetrics?) {
    switch explanation {
    case .omitted, .analysis: break
    case .plan:
      try await authorize(.query(query.query), as: principal)
      return (nil, QueryMetrics(query.query))
    }
    let start = engine.timeOfDay
    let result = try await runAggregationQuery(query, consistency: consistency, as: principal)
    guard explanation == .analysis else { return (result, nil) }
    var statistics = QueryStatistics()
    statistics.results = 1
    statistics.entries = result.count
    statistics.microseconds = max(1, engine.timeOfDay - start)
    return (result, QueryMetrics(query.query, statistics))
  }
}
