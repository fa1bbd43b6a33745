/// Counts of whole collections over gRPC, under load.
enum CountBenchmark: Benchmark {
  static let name = "count"
  static let summary = "count of a whole collection over gRPC, CPU per call at growing sizes"

  static func run(_ plan: Plan) throws -> [Measurement] {
    let subject = try Subject(plan)
    let folder = try TemporaryFolder()
    let count = plan.requests(50_000)
    var results: [Measurement] = []
    for size in plan.isQuick ? [1_000, 10_000] : [1_000, 10_000, 100_000] {
      try subject.commit(size / 500) {
        BatchBenchmark.batch(of: 500, from: $0 * 500, in: "items\(size)")
      }
      let upload = folder.path + "/count\(size)"
      try writeFile(upload, GRPCBody.count(of: "items\(size)").framed)
      func load(_ count: Int) throws -> Load {
        try Load.run(
          GRPCBody.url(subject.port, "RunAggregationQuery"), requests: count, upload: upload,
          headers: GRPCBody.headers)
      }
      let bytes = try load(count / 10).bodyBytes / (count / 10)
      guard bytes > 20 else { throw BenchError("answers of \(bytes) bytes: the calls failed") }
      var rate = 0.0
      let cpu = try subject.cpu { rate = try load(count).rate }
      results.append(Measurement("of \(size): rate", rate, "calls/s"))
      guard let cpu else { continue }
      results.append(
        Measurement("of \(size): CPU per call", cpu / Double(count) / 1000, "µs", .atMost(40)))
    }
    return results
  }
}
