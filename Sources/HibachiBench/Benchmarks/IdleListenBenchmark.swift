/// What listeners cost to whom nothing happens.
enum IdleListenBenchmark: Benchmark {
  static let name = "listen-idle"
  static let summary = "memory of idle listeners, and commits beside them"

  static func run(_ plan: Plan) throws -> [Measurement] {
    raiseDescriptorLimit()
    return try besideIdle(plan) + besideTargets(plan)
  }

  /// 5,000 connections, each with a listener to a collection of its own.
  private static func besideIdle(_ plan: Plan) throws -> [Measurement] {
    let subject = try Subject(plan)
    guard let processID = subject.processID else { return [] }
    let usage = ProcessUsage(processID: processID)
    let listeners = Listeners()
    let count = 5_000
    func commits() throws -> Double { try self.commits(plan, subject) }
    // What the first connections and commits take is no part of what each more takes.
    try listeners.add(subject.port, connections: 10) { [["first\($0)"]] }
    _ = try commits()
    let alone = try (0..<3).map { _ in try commits() }.min() ?? 0
    let before = try usage.residentBytes().total
    try listeners.add(subject.port, connections: count) { [["idle\($0)"]] }
    let memory = Double(try usage.residentBytes().total - before) / Double(count) / 1024
    let beside = try (0..<3).map { _ in try commits() }.min() ?? 0
    return [
      Measurement("idle connection with a listener", memory, "KiB", .atMost(24)),
      Measurement("CPU of a commit alone", alone, "µs"),
      Measurement("CPU of a commit beside \(count) connections", beside, "µs"),
      Measurement("ratio", beside / alone, "×", .atMost(1.1)),
    ]
  }

  /// 10,000 targets on 20 connections, each for a collection of its own.
  private static func besideTargets(_ plan: Plan) throws -> [Measurement] {
    let subject = try Subject(plan)
    guard subject.processID != nil else { return [] }
    let listeners = Listeners()
    _ = try commits(plan, subject)
    let alone = try (0..<3).map { _ in try commits(plan, subject) }.min() ?? 0
    try listeners.add(subject.port, connections: 20) { connection in
      [(0..<500).map { "other\(connection * 500 + $0)" }]
    }
    let beside = try (0..<3).map { _ in try commits(plan, subject) }.min() ?? 0
    return [
      Measurement("CPU of a commit beside \(listeners.count) targets", beside, "µs"),
      Measurement("ratio", beside / alone, "×", .atMost(1.1)),
    ]
  }

  /// The CPU of a commit in microseconds, of commits one after the other.
  private static func commits(_ plan: Plan, _ subject: Subject) throws -> Double {
    let socket = try GRPCSocket(port: subject.port)
    let commit = GRPCBody.increments(of: ["bench/counter"])
    let count = plan.requests(5_000)
    let cpu = try subject.cpu { for _ in 0..<count { _ = try socket.exchange("Commit", commit) } }
    return (cpu ?? 0) / Double(count) / 1000
  }
}
