/// The memory of a server that has answered one request.
enum IdleBenchmark: Benchmark {
  static let name = "idle"
  static let summary = "resident memory when idle"

  static func run(_ plan: Plan) throws -> [Measurement] {
    let subject = try Subject(plan)
    guard let processID = subject.processID else { return [] }
    let memory = try ProcessUsage(processID: processID).residentBytes()
    let mebibyte = 1_048_576.0
    return [
      Measurement("resident", Double(memory.total) / mebibyte, "MiB", .atMost(16)),
      Measurement("anonymous", Double(memory.anonymous) / mebibyte, "MiB", .atMost(4)),
    ]
  }
}
