/// The memory of a server that has taken in documents and answered queries for them.
enum MemoryBenchmark: Benchmark {
  static let name = "memory"
  static let summary = "resident memory after 5,000 documents written and queried"

  static func run(_ plan: Plan) throws -> [Measurement] {
    let subject = try Subject(plan)
    try subject.commit(10) { BatchBenchmark.batch(of: 500, from: $0 * 500) }
    let socket = try subject.connect()
    for workload in QueryWorkload.all(in: "items", group: "items") {
      for _ in 0..<5 { _ = try workload.ask(socket) }
    }
    guard let memory = try subject.residentMebibytes() else { return [] }
    return [Measurement("resident", memory, "MiB", .atMost(40))]
  }
}
