/// Queries of a million documents with the indexes that they got, and a scan of all of them.
enum MillionBenchmark: Benchmark {
  static let name = "million"
  static let summary =
    "indexed queries and counts of 1,000 and of 1,000,000 documents, scans of all, read or not"

  private static let query = "equality, order, limit 20"
  private static let range = "count, range"
  private static let plain = "count"

  static func run(_ plan: Plan) throws -> [Measurement] {
    let folder = try plan.folder.map(TemporaryFolder.init(keeping:)) ?? TemporaryFolder()
    let size = plan.requests(1_000_000)
    var results: [Measurement] = []
    do {
      let subject = try Subject(plan, in: folder)
      var costs: [Double] = []
      for size in [1_000, size] {
        try fill(subject, size)
        costs += try measure(subject, size, folder, &results)
      }
      if costs.count == 2 {
        results.append(Measurement("\(query): growth", costs[1] / costs[0], "×", .atMost(1.5)))
      }
    }
    guard plan.peer == nil, !plan.isEphemeral else { return results }
    results += try stall(Subject(plan, in: folder), size, folder)
    return results + (try scan(Subject(plan, in: folder), size, folder))
  }

  /// Stores the documents unless an earlier run did.
  private static func fill(_ subject: Subject, _ size: Int) throws {
    let count = QueryWorkload.all(in: "items\(size)", group: "none").first { $0.name == "count" }
    let answer = try count?.ask(subject.connect()) ?? []
    guard !answer.contains("\"\(size)\"".utf8) else { return }
    try subject.commit(size / 500) {
      BatchBenchmark.batch(of: 500, from: $0 * 500, in: "items\(size)")
    }
  }

  /// Returns the CPU of the query in microseconds.
  private static func measure(
    _ subject: Subject, _ size: Int, _ folder: TemporaryFolder, _ results: inout [Measurement]
  ) throws -> [Double] {
    let socket = try subject.connect()
    let workloads = QueryWorkload.all(in: "items\(size)", group: "none")
    var costs: [Double] = []
    for workload in workloads where [query, range, plain].contains(workload.name) {
      note("million: \(workload.name) of \(size)")
      try waitForIndex(workload, socket, size)
      var times: [Double] = []
      for _ in 0..<(workload.name == range ? 10 : 500) {
        let time = try ContinuousClock().measure { _ = try workload.ask(socket) }
        times.append(time / .milliseconds(1))
      }
      let label = "\(workload.name), of \(size)"
      results.append(
        Measurement(
          "\(label): median", median(times), "ms", workload.name == range ? .atMost(150) : nil))
      let count = 20_000
      guard workload.name != range,
        let cpu = try subject.cpu(of: {
          _ = try workload.load(subject, requests: count, in: folder)
        })
      else { continue }
      if workload.name == query { costs.append(cpu / Double(count) / 1_000) }
      results.append(
        Measurement(
          "\(label): CPU under load", cpu / Double(count) / 1_000, "µs",
          workload.name == query ? .atMost(400) : nil))
    }
    return costs
  }

  /// Begins to read all documents, many times; then reads no further while others write.
  private static func stall(
    _ subject: Subject, _ size: Int, _ folder: TemporaryFolder
  ) throws -> [Measurement] {
    guard let all = QueryWorkload.all(in: "items\(size)", group: "none").first else { return [] }
    note("million: the first of all")
    var times: [Double] = []
    for _ in 0..<50 {
      let socket = try subject.connect()
      for _ in 0..<250 { pauseBriefly() }  // until the one before is given up
      let time = try ContinuousClock().measure {
        try all.begin(socket)
        try socket.wait(for: "updateTime")
      }
      times.append(time / .milliseconds(1))
    }
    note("million: a scan that nobody reads")
    let socket = try subject.connect()
    try all.begin(socket)
    try socket.wait(for: "updateTime")
    var largest = 0
    try subject.commit(300) { index in
      largest = max(largest, fileSize(folder.path + "/data/store.sqlite-wal"))
      return BatchBenchmark.batch(
        of: 500, from: index % 100 * 500, in: "others", padding: 1_500 + index / 100)
    }
    return [
      Measurement("first of a scan of \(size): median", median(times), "ms"),
      Measurement(
        "first of a scan of \(size): p99", quantile(0.99, of: times), "ms", .atMost(5)),
      Measurement(
        "write-ahead log beside a scan that nobody reads", Double(largest) / 1_048_576, "MiB",
        .atMost(256)),
    ]
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
