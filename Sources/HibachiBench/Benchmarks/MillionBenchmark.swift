/// Queries of a million documents with the indexes that they got, and a scan of all of them.
enum MillionBenchmark: Benchmark {
  static let name = "million"
  static let summary =
    "indexed queries and counts of 1,000 and of 1,000,000 documents, a scan of all over gRPC"

  private static let query = "equality, order, limit 20"
  private static let range = "count, range"

  static func run(_ plan: Plan) throws -> [Measurement] {
    let folder = try TemporaryFolder()
    let size = plan.requests(1_000_000)
    var results: [Measurement] = []
    do {
      let subject = try Subject(plan, in: folder)
      var costs: [Double] = []
      for size in [1_000, size] {
        try subject.commit(size / 500) {
          BatchBenchmark.batch(of: 500, from: $0 * 500, in: "items\(size)")
        }
        costs += try measure(subject, size, &results)
      }
      if costs.count == 2 {
        results.append(Measurement("\(query): growth", costs[1] / costs[0], "×", .atMost(1.5)))
      }
    }
    guard plan.peer == nil, !plan.isEphemeral else { return results }
    return results + (try scan(Subject(plan, in: folder), size, folder))
  }

  /// Returns the CPU of the query in microseconds.
  private static func measure(
    _ subject: Subject, _ size: Int, _ results: inout [Measurement]
  ) throws -> [Double] {
    let socket = try subject.connect()
    let workloads = QueryWorkload.all(in: "items\(size)", group: "none")
    var costs: [Double] = []
    for workload in workloads where workload.name == query || workload.name == range {
      note("million: \(workload.name) of \(size)")
      try waitForIndex(workload, socket, size)
      let count = workload.name == query ? 2_000 : 10
      var times: [Double] = []
      let cpu = try subject.cpu {
        for _ in 0..<count {
          let time = try ContinuousClock().measure { _ = try workload.ask(socket) }
          times.append(time / .milliseconds(1))
        }
      }
      let label = "\(workload.name), of \(size)"
      results.append(
        Measurement(
          "\(label): median", median(times), "ms", workload.name == range ? .atMost(150) : nil))
      guard let cpu, workload.name == query else { continue }
      costs.append(cpu / Double(count) / 1_000)
      results.append(Measurement("\(label): CPU", cpu / Double(count) / 1_000, "µs", .atMost(400)))
    }
    return costs
  }

  /// Asks until answers come as fast as from an index, a minute at most.
  private static func waitForIndex(
    _ workload: QueryWorkload, _ socket: HTTPSocket, _ size: Int
  ) throws {
    let start = ContinuousClock.now
    var fast = 0
    while fast < 20 {
      let time = try ContinuousClock().measure { _ = try workload.ask(socket) }
      fast = time < .milliseconds(size < 10_000 ? 2 : 200) ? fast + 1 : 0
      guard ContinuousClock.now - start < .seconds(90) else {
        throw BenchError("\(workload.name) got no index")
      }
    }
    note("million: fast after \((ContinuousClock.now - start) / .seconds(1)) s")
  }

  private static func scan(
    _ subject: Subject, _ size: Int, _ folder: TemporaryFolder
  ) throws -> [Measurement] {
    let upload = folder.path + "/query"
    try writeFile(upload, GRPCBody.query(of: "items\(size)").framed)
    note("million: scan")
    let load = try Load.run(
      GRPCBody.url(subject.port, "RunQuery"), requests: 1, connections: 1,
      streams: 1, upload: upload,
      headers: GRPCBody.headers)
    guard load.bodyBytes > size * 100 else {
      throw BenchError("a scan of \(load.bodyBytes) bytes: it failed")
    }
    guard let memory = try subject.peakMebibytes() else { return [] }
    return [
      Measurement("scan over gRPC: documents a second", load.rate * Double(size), ""),
      Measurement("scan over gRPC: peak resident", memory, "MiB", .atMost(150)),
    ]
  }
}
