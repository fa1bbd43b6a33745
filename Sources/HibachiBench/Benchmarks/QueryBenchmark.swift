/// Queries over REST, one after the other, for collections of growing size.
enum QueryBenchmark: Benchmark {
  static let name = "query"
  static let summary =
    "queries of 1,000, 10,000 and 100,000 documents: CPU, latency, time to the first"

  static func run(_ plan: Plan) throws -> [Measurement] {
    let subject = try Subject(plan)
    var results: [Measurement] = []
    for size in plan.isQuick ? [1_000, 10_000] : [1_000, 10_000, 100_000] {
      let (collection, group) = ("items\(size)", "parts\(size)")
      try subject.commit(size / 500) {
        BatchBenchmark.batch(of: 500, from: $0 * 500, in: collection)
      }
      try subject.commit(size / 500) {
        BatchBenchmark.batch(of: 500, from: $0 * 500, in: "roots/root\($0 % 10)/\(group)")
      }
      for workload in QueryWorkload.all(in: collection, group: group) {
        note("query: \(workload.name) of \(size)")
        results += try measure(workload, of: size, subject)
      }
    }
    return results
  }

  /// Asks for a second, three times at least, after a first time that does not count.
  private static func measure(
    _ workload: QueryWorkload, of size: Int, _ subject: Subject
  ) throws -> [Measurement] {
    let socket = try subject.connect()
    _ = try workload.ask(socket)
    var (whole, first): ([Double], [Double]) = ([], [])
    let end = ContinuousClock.now + .seconds(1)
    let cpu = try subject.cpu {
      while whole.count < 3 || (ContinuousClock.now < end && whole.count < 2_000) {
        let start = ContinuousClock.now
        _ = try workload.ask(socket)
        whole.append((ContinuousClock.now - start) / .milliseconds(1))
        first.append((socket.firstBytes - start) / .milliseconds(1))
      }
    }
    let label = "\(workload.name), of \(size)"
    var results = [
      Measurement("\(label): p50", quantile(0.5, of: whole), "ms"),
      Measurement("\(label): p99", quantile(0.99, of: whole), "ms"),
    ]
    if workload.name == "whole collection" {
      results.append(
        Measurement("\(label): first bytes, p99", quantile(0.99, of: first), "ms", .atMost(5)))
    }
    if let cpu {
      results.append(Measurement("\(label): CPU", cpu / Double(whole.count) / 1000, "µs"))
    }
    return results
  }
}
