/// CPU for a document over gRPC, beside nghttpd serving as many bytes from a file.
enum GRPCGetBenchmark: Benchmark {
  static let name = "grpc-get"
  static let summary = "gRPC unary get, CPU per call against nghttpd"

  static func run(_ plan: Plan) throws -> [Measurement] {
    let subject = try Subject(plan)
    _ = try subject.storeSample()
    let folder = try TemporaryFolder()
    var request = GRPCBody()
    request.text(1, "\(Subject.database)/documents/bench/sample")
    let upload = folder.path + "/request"
    try writeFile(upload, request.framed)
    let count = plan.requests(200_000)
    func load(_ url: String, _ count: Int) throws -> Load {
      try Load.run(url, requests: count, upload: upload, headers: GRPCBody.headers)
    }
    let url = GRPCBody.url(subject.port, "GetDocument")
    let size = try load(url, count / 10).bodyBytes / (count / 10)
    guard size > 200 else { throw BenchError("answers of \(size) bytes: the calls failed") }
    var rate = 0.0
    let cpu = try subject.cpu { rate = try load(url, count).rate }
    var results = [Measurement("rate", rate, "calls/s")]
    guard let cpu else { return results }
    let served = TemporaryServed(bytes: size, in: folder.path)
    let process = try served.start()
    _ = try load(served.url, count / 10)
    let usage = ProcessUsage(processID: process.id)
    let before = try usage.cpuNanoseconds()
    _ = try load(served.url, count)
    let theirs = Double(try usage.cpuNanoseconds() - before)
    let perCall = Double(count) * 1000
    results += [
      Measurement("CPU per call", cpu / perCall, "µs"),
      Measurement("nghttpd, CPU per call", theirs / perCall, "µs"),
      Measurement("ratio", cpu / theirs, "×", .atMost(3)),
    ]
    return results
  }
}

/// nghttpd with one file of some size.
private struct TemporaryServed {
  let port: Int
  let folder: String
  let bytes: Int

  init(bytes: Int, in folder: String) {
    self.bytes = bytes
    self.folder = folder
    port = (try? freePort()) ?? 0
  }

  var url: String { "http://127.0.0.1:\(port)/sample" }

  func start() throws -> ChildProcess {
    try writeFile(folder + "/sample", [UInt8](repeating: 0x78, count: bytes))
    let process = try ChildProcess(["nghttpd", "--no-tls", "-d", folder, String(port)])
    for _ in 0..<10_000 {
      if (try? HTTPSocket(port: port)) != nil { return process }
      pauseBriefly()
    }
    throw BenchError("nghttpd does not start")
  }
}
