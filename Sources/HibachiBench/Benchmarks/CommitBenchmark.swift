/// Commits of one document each, which change it, from many connections at once.
enum CommitBenchmark: Benchmark {
  static let name = "commit"
  static let summary = "commits of one document under load, CPU per commit"

  static func run(_ plan: Plan) throws -> [Measurement] {
    let subject = try Subject(plan)
    let folder = try TemporaryFolder()
    let upload = folder.path + "/commit"
    try writeFile(upload, GRPCBody.increments(of: ["bench/counter"]).framed)
    let count = plan.requests(50_000)
    let url = GRPCBody.url(subject.port, "Commit")
    func load(_ count: Int) throws -> Load {
      try Load.run(url, requests: count, upload: upload, headers: GRPCBody.headers)
    }
    let size = try load(count / 10).bodyBytes / (count / 10)
    guard size > 20 else { throw BenchError("answers of \(size) bytes: the commits failed") }
    var rate = 0.0
    let cpu = try subject.cpu { rate = try load(count).rate }
    let results = [Measurement("rate", rate, "commits/s")]
    guard let cpu else { return results }
    return results + [
      Measurement("CPU per commit", cpu / Double(count) / 1000, "µs", .atMost(100))
    ]
  }
}
