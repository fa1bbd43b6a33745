/// Commits with listeners: how soon one and many are told.
enum ListenBenchmark: Benchmark {
  static let name = "listen"
  static let summary = "commits to one and to 1,000 listeners, until all are told"

  static func run(_ plan: Plan) throws -> [Measurement] {
    raiseDescriptorLimit()
    return try toOne(plan) + toMany(plan)
  }

  private static func toOne(_ plan: Plan) throws -> [Measurement] {
    let subject = try Subject(plan)
    let listeners = Listeners()
    try listeners.add(subject.port, connections: 1) { _ in [["told"]] }
    let told = try tell(listeners, subject, commits: plan.requests(2_000))
    return [
      Measurement("commit to one listener, median", told.median, "ms"),
      Measurement("commit to one listener, p99", told.percentile99, "ms", .atMost(2)),
    ]
  }

  private static func toMany(_ plan: Plan) throws -> [Measurement] {
    let count = 1_000
    var results: [Measurement] = []
    for (connections, name) in [(count, "connections"), (10, "streams of 10 connections")] {
      let subject = try Subject(plan)
      let listeners = Listeners()
      try listeners.add(subject.port, connections: connections) { _ in
        Array(repeating: ["told"], count: count / connections)
      }
      let told = try tell(listeners, subject, commits: plan.requests(300))
      results += [
        Measurement("commit to \(count) \(name), median", told.median, "ms"),
        Measurement("commit to \(count) \(name), p99", told.percentile99, "ms", .atMost(25)),
      ]
      if let cpu = told.cpu {
        results.append(Measurement("commit to \(count) \(name), CPU", cpu, "ms"))
      }
    }
    return results
  }

  private struct Told {
    var times: [Double] = []
    /// Of the server, in milliseconds for each commit.
    var cpu: Double?

    var median: Double { times.sorted()[times.count / 2] }
    var percentile99: Double { times.sorted()[times.count * 99 / 100] }
  }

  /// Makes commits one after the other, each until all listeners have its snapshot.
  private static func tell(
    _ listeners: Listeners, _ subject: Subject, commits: Int
  ) throws -> Told {
    let socket = try GRPCSocket(port: subject.port)
    let commit = GRPCBody.increments(of: ["told/counter"])
    let clock = ContinuousClock()
    var told = Told()
    func once() throws {
      listeners.expect(documents: 1)
      let time = try clock.measure {
        _ = try socket.exchange("Commit", commit)
        try listeners.waitForAll()
      }
      told.times.append(time / .milliseconds(1))
    }
    for _ in 0..<max(1, commits / 10) { try once() }
    told.times = []
    told.cpu = try subject.cpu { for _ in 0..<commits { try once() } }
      .map { $0 / Double(commits) / 1_000_000 }
    return told
  }
}
