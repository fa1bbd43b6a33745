internal import Coding
package import FirestoreModel
package import FirestoreProtocol
package import FirestoreService

extension FirestoreMethods {
  /// The last response says `done`: beside the last document, or alone where there is none.
  package func runQuery(
    _ request: V1.RunQueryRequest, as principal: Principal,
    send: (V1.RunQueryResponse) async throws(FirestoreError) -> Void
  ) async throws(FirestoreError) {
    let parent = try ParentName(parsing: request.parent)
    guard case .structuredQuery(let query)? = request.queryType else {
      throw .invalidArgument("only structured queries are supported")
    }
    // The newest response waits until it is known whether it is the last.
    var newest = V1.RunQueryResponse()
    let metrics = try await operations.explainQuery(
      Query(query, parent: parent), Explanation(request.explainOptions),
      consistency: ReadConsistency(request.consistencySelector), as: principal
    ) { (answer) throws(FirestoreError) in
      if let id = answer.transaction { try await send(V1.RunQueryResponse(transaction: id)) }
      newest.readTime = answer.readTime
      newest.skippedResults += Int32(clamping: answer.skippedResults)
      for document in answer.documents {
        if newest.document != nil {
          try await send(newest)
          newest = V1.RunQueryResponse(readTime: answer.readTime)
        }
        newest.document = V1.Document(document)
      }
    }
    newest.continuationSelector = .done(true)
    newest.explainMetrics = metrics.map { V1.ExplainMetrics($0) }
    try await send(newest)
  }

  package func runAggregationQuery(
    _ request: V1.RunAggregationQueryRequest, as principal: Principal,
    send: (V1.RunAggregationQueryResponse) async throws(FirestoreError) -> Void
  ) async throws(FirestoreError) {
    let parent = try ParentName(parsing: request.parent)
    guard case .structuredAggregationQuery(let query)? = request.queryType else {
      throw .invalidArgument("Only structured aggregation queries are supported.")
    }
    let (answer, metrics) = try await operations.explainAggregationQuery(
      AggregationQuery(query, parent: parent), Explanation(request.explainOptions),
      consistency: ReadConsistency(request.consistencySelector), as: principal)
    if let id = answer?.transaction {
      try await send(V1.RunAggregationQueryResponse(transaction: id))
    }
    try await send(
      V1.RunAggregationQueryResponse(
        result: answer.map { V1.AggregationResult($0.values) }, readTime: answer?.readTime,
        explainMetrics: metrics.map { V1.ExplainMetrics($0) }))
  }

  package func partitionQuery(
    _ request: V1.PartitionQueryRequest, as principal: Principal
  ) async throws(FirestoreError) -> V1.PartitionQueryResponse {
    let parent = try ParentName(parsing: request.parent)
    guard case .structuredQuery(let query)? = request.queryType else {
      throw .invalidArgument("only structured queries are supported")
    }
    let answer = try await operations.partitionQuery(
      PartitionQueryRequest(
        query: StructuredQuery(query), parent: parent,
        partitionCount: Int(request.partitionCount), pageSize: Int(request.pageSize),
        pageToken: request.pageToken, consistency: ReadConsistency(request.consistencySelector)),
      as: principal)
    return V1.PartitionQueryResponse(
      partitions: answer.points.map { V1.Cursor(values: [V1.Value(.reference($0))]) },
      nextPageToken: answer.nextPageToken)
  }
}
