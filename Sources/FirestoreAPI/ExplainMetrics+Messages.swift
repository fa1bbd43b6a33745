internal import Coding
internal import FirestoreModel
internal import FirestoreProtocol
internal import FirestoreService

extension Explanation {
  init(_ options: V1.ExplainOptions?) {
    self = options.map { $0.analyze ? .analysis : .plan } ?? .omitted
  }
}

extension V1.ExplainMetrics {
  init(_ metrics: QueryMetrics) {
    self.init(
      planSummary: V1.PlanSummary(
        indexesUsed: metrics.indexes.map { index in
          WellKnown.Struct(texts: [
            ("properties", index.properties), ("query_scope", index.scope),
          ])
        }),
      executionStats: metrics.statistics.map { V1.ExecutionStats($0) })
  }
}

extension V1.ExecutionStats {
  /// Source of the statistics: "Query Explain report reference" of the Firestore documentation.
  fileprivate init(_ statistics: QueryStatistics) {
    let readsDocuments = statistics.documents > 0
    var billing = [
      ("documents_billable", "\(statistics.documents)"),
      ("index_entries_billable", readsDocuments ? "0" : "\(statistics.entries)"),
    ]
    if statistics.vectors > 0 {
      billing.append(("knn_vector_index_entries_billable", "\(statistics.vectors)"))
    }
    billing += [
      ("min_query_cost", readsDocuments || statistics.entries > 0 ? "0" : "1"),
      ("small_ops", "0"),
    ]
    var debug = WellKnown.Struct(texts: [
      ("documents_scanned", "\(statistics.documents)"),
      ("index_entries_scanned", "\(statistics.entries)"),
    ])
    debug.fields.insert(
      MapEntry(
        key: "billing_details", value: WellKnown.Value(kind: .structValue(.init(texts: billing)))),
      at: 0)
    self.init(
      resultsReturned: Int64(statistics.results),
      executionDuration: WellKnown.Duration(
        seconds: statistics.microseconds / 1_000_000,
        nanos: Int32(statistics.microseconds % 1_000_000 * 1_000)),
      readOperations: Int64(statistics.reads), debugStats: debug)
  }
}

extension WellKnown.Struct {
  fileprivate init(texts: [(String, String)]) {
    self.init(
      fields: texts.map { MapEntry(key: $0.0, value: WellKnown.Value(kind: .stringValue($0.1))) })
  }
}
