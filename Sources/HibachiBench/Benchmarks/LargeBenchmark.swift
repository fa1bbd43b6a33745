/// A database of 1 GB: start, memory, clearing, and commits beside the deletion of what was cleared.
enum LargeBenchmark: Benchmark {
  static let name = "large"
  static let summary =
    "start, memory and clearing of a database of 1 GB, commits beside its deletion"

  private static let padding = 1_800

  static func run(_ plan: Plan) throws -> [Measurement] {
    guard plan.peer == nil, !plan.isEphemeral else { return [] }
    let folder = try TemporaryFolder()
    let batches = plan.isQuick ? 100 : 1_000
    let size = batches * 500
    var subject: Subject? = try Subject(plan, in: folder)
    try subject?.commit(batches) {
      BatchBenchmark.batch(of: 500, from: $0 * 500, padding: padding)
    }
    subject = nil
    var starts: [Double] = []
    for _ in 0..<11 {
      subject = nil
      let time = try ContinuousClock().measure { subject = try Subject(plan, in: folder) }
      starts.append(time / .milliseconds(1))
    }
    guard let subject else { return [] }
    var results = [
      Measurement("start to the first document read, median", median(starts), "ms", .atMost(50)),
      Measurement("start, slowest", starts.max() ?? 0, "ms"),
    ]
    results += try serve(subject, size: size)
    results += try clear(subject)
    return results
  }

  /// Reads all over the database and scans some of it.
  private static func serve(_ subject: Subject, size: Int) throws -> [Measurement] {
    let socket = try subject.connect()
    for number in 0..<20_000 {
      let path = "/v1/\(Subject.database)/documents/items/item\(number * 7919 % size)"
      let status = try socket.exchange("GET", path).status
      guard status == 200 else { throw BenchError("a read was answered \(status)") }
    }
    for workload in QueryWorkload.all(in: "items", group: "items")
    where workload.name != "whole collection" {
      note("large: \(workload.name)")
      _ = try workload.ask(socket)
    }
    guard let memory = try subject.residentMebibytes() else { return [] }
    return [Measurement("resident after reads and queries", memory, "MiB", .atMost(150))]
  }

  /// Clears the database and commits documents for ten seconds while what was there is deleted; clears what came in, too.
  private static func clear(_ subject: Subject) throws -> [Measurement] {
    let socket = try subject.connect()
    let first = try ClearBenchmark.clear(socket)
    var times: [Double] = []
    let end = ContinuousClock.now + .seconds(10)
    while ContinuousClock.now < end {
      let path = "/v1/\(Subject.database)/documents/after/item\(times.count)"
      var status = 0
      let time = try ContinuousClock().measure {
        status = try socket.exchange(
          "PATCH", path, body: "{\"fields\":{\"n\":{\"integerValue\":\"1\"}}}"
        ).status
      }
      guard status == 200 else { throw BenchError("a commit was answered \(status)") }
      times.append(time / .milliseconds(1))
    }
    var clearings: [Double] = []
    for number in 0..<20 {
      try subject.commit(2) { BatchBenchmark.batch(of: 100, from: $0 * 100) }
      note("large: clearing \(number + 2)")
      clearings.append(try ClearBenchmark.clear(socket))
    }
    return [
      Measurement("clear", first, "ms", .atMost(2)),
      Measurement("clear beside the deletion, median of 20", median(clearings), "ms"),
      Measurement("commit beside the deletion, median", median(times), "ms"),
      Measurement("commit beside the deletion, p99", quantile(0.99, of: times), "ms"),
      Measurement("commit beside the deletion, slowest", times.max() ?? 0, "ms"),
    ]
  }
}
