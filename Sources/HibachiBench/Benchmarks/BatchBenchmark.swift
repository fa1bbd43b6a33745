/// Commits of 500 documents: changes over gRPC, and new documents over REST.
enum BatchBenchmark: Benchmark {
  static let name = "batch"
  static let summary = "commits of 500 documents, documents per second"

  static func run(_ plan: Plan) throws -> [Measurement] {
    let subject = try Subject(plan)
    let folder = try TemporaryFolder()
    let upload = folder.path + "/commit"
    let documents = (0..<500).map { "batch/document\($0)" }
    try writeFile(upload, GRPCBody.increments(of: documents).framed)
    let count = plan.requests(400)
    func load(_ count: Int) throws -> Load {
      try Load.run(
        GRPCBody.url(subject.port, "Commit"), requests: count, connections: 4, streams: 2,
        upload: upload, headers: GRPCBody.headers)
    }
    let size = try load(8).bodyBytes / 8
    guard size > 500 else { throw BenchError("answers of \(size) bytes: the commits failed") }
    let rate = try load(count).rate
    let inserted = try insertions(plan, into: subject)
    return [
      Measurement("changes over gRPC", rate * 500, "documents/s", .atLeast(30_000)),
      Measurement("new documents over REST", inserted, "documents/s"),
    ]
  }

  private static func insertions(_ plan: Plan, into subject: Subject) throws -> Double {
    let batches = (0..<plan.requests(100)).map { batch(of: 500, from: $0 * 500) }
    let time = try ContinuousClock().measure {
      try subject.commit(batches.count) { batches[$0] }
    }
    return Double(batches.count * 500) / (time / .seconds(1))
  }

  /// A commit of `count` new documents of about 200 bytes, and `padding` bytes more, in a collection.
  static func batch(
    of count: Int, from first: Int, in collection: String = "items", padding: Int = 0
  ) -> String {
    let filling = String(repeating: "x", count: padding)
    let writes = (first..<first + count).map { number in
      """
      {"update":{"name":"\(Subject.database)/documents/\(collection)/item\(number)","fields":{\
      "number":{"integerValue":"\(number)"},"group":{"integerValue":"\(number % 50)"},\
      "shuffled":{"integerValue":"\(number * 7919 % 1_000_003)"},\
      "text":{"stringValue":"item \(number) with some words that make it a little longer\(filling)"}}}}
      """
    }
    return "{\"writes\":[\(writes.joined(separator: ","))]}"
  }
}
