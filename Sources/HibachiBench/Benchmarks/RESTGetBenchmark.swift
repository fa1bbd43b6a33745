/// CPU for a document over HTTP/1.1, beside nginx serving the same bytes from a file.
enum RESTGetBenchmark: Benchmark {
  static let name = "rest-get"
  static let summary = "REST GET of a document, CPU per request against nginx"

  static func run(_ plan: Plan) throws -> [Measurement] {
    let subject = try Subject(plan)
    let bytes = try subject.storeSample()
    let count = plan.requests(200_000)
    let url = "http://127.0.0.1:\(subject.port)/v1/\(Subject.database)/documents/bench/sample"
    func load(_ url: String, _ count: Int) throws -> Load {
      try Load.run(url, requests: count, http1: true, connections: 64)
    }
    _ = try load(url, count / 10)
    var rate = 0.0
    let cpu = try subject.cpu { rate = try load(url, count).rate }
    var results = [Measurement("rate", rate, "requests/s")]
    guard let cpu else { return results }
    let nginx = try Nginx(serving: bytes)
    _ = try load(nginx.url, count / 10)
    let before = try nginx.cpuNanoseconds()
    _ = try load(nginx.url, count)
    let theirs = Double(try nginx.cpuNanoseconds() - before)
    let perRequest = Double(count) * 1000
    results += [
      Measurement("CPU per request", cpu / perRequest, "µs"),
      Measurement("nginx, CPU per request", theirs / perRequest, "µs"),
      Measurement("ratio", cpu / theirs, "×", .atMost(2)),
    ]
    return results
  }
}
