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
    try await operations.runQuery(
      Query(query, parent: parent), consistency: ReadConsistency(request.consistencySelector),
      as: principal
    ) { (answer) throws(FirestoreError) in
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
    let answer = try await operations.runAggregationQuery(
      AggregationQuery(query, parent: parent),
      consistency: ReadConsistency(request.consistencySelector), as: principal)
    let fields = answer.values.map { MapEntry(key: $0.alias.string, value: V1.Value($0.value)) }
    try await send(
      V1.RunAggregationQueryResponse(
        result: V1.AggregationResult(aggregateFields: fields), readTime: answer.readTime))
  }
}
