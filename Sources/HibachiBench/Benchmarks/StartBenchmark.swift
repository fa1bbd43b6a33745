/// From the start of the process to the answer to a read, each time with a new data folder.
enum StartBenchmark: Benchmark {
  static let name = "start"
  static let summary = "start to the first document read of an empty database"

  static func run(_ plan: Plan) throws -> [Measurement] {
    guard plan.peer == nil else { return [] }
    let clock = ContinuousClock()
    var times: [Double] = []
    for _ in 0..<(plan.isQuick ? 5 : 21) {
      var subject: Subject?
      let time = try clock.measure { subject = try Subject(plan) }
      times.append(time / .milliseconds(1))
      withExtendedLifetime(subject) {}
    }
    return [
      Measurement("median", median(times), "ms", .atMost(30)),
      Measurement("slowest", times.max() ?? 0, "ms"),
    ]
  }
}
