/// Clearing a database, up to the answer.
enum ClearBenchmark: Benchmark {
  static let name = "clear"
  static let summary = "clear a database, to the answer"

  static func run(_ plan: Plan) throws -> [Measurement] {
    let subject = try Subject(plan)
    let socket = try subject.connect()
    var results: [Measurement] = []
    for size in [500, plan.isQuick ? 5_000 : 50_000] {
      var times: [Double] = []
      for round in 0..<5 {
        note("clear: \(size) documents, \(round + 1) of 5")
        try subject.commit(size / 500) { BatchBenchmark.batch(of: 500, from: $0 * 500) }
        times.append(try clear(socket))
      }
      results += [
        Measurement("\(size) documents, median of 5", median(times), "ms", .atMost(2)),
        Measurement("\(size) documents, slowest", times.max() ?? 0, "ms"),
      ]
    }
    return results
  }

  /// Clears the database; the milliseconds up to the answer.
  static func clear(_ socket: HTTPSocket) throws -> Double {
    var status = 0
    let time = try ContinuousClock().measure {
      status = try socket.exchange("DELETE", "/emulator/v1/\(Subject.database)/documents").status
    }
    guard status == 200 else { throw BenchError("clearing was answered \(status)") }
    return time / .milliseconds(1)
  }
}
