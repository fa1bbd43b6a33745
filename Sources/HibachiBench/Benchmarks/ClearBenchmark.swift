/// Clearing a database, up to the answer.
enum ClearBenchmark: Benchmark {
  static let name = "clear"
  static let summary = "clear a database, to the answer"

  static func run(_ plan: Plan) throws -> [Measurement] {
    let subject = try Subject(plan)
    let socket = try subject.connect()
    var results: [Measurement] = []
    for size in [500, plan.isQuick ? 5_000 : 50_000] {
      for first in stride(from: 0, to: size, by: 500) {
        if first % 10_000 == 0 { note("clear: \(first) of \(size) documents stored") }
        let answer = try socket.exchange(
          "POST", "/v1/\(Subject.database)/documents:commit",
          body: BatchBenchmark.batch(of: 500, from: first))
        guard answer.status == 200 else {
          throw BenchError("a commit was answered \(answer.status)")
        }
      }
      var status = 0
      let time = try ContinuousClock().measure {
        status = try socket.exchange("DELETE", "/emulator/v1/\(Subject.database)/documents").status
      }
      guard status == 200 else { throw BenchError("clearing was answered \(status)") }
      results.append(
        Measurement("\(size) documents", time / .milliseconds(1), "ms", .atMost(2)))
    }
    return results
  }
}
