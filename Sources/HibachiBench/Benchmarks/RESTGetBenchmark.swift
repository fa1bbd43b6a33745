/// CPU for a document over HTTP/1.1, beside nginx serving the same bytes from a file.
enum RESTGetBenchmark: Benchmark {
  static let name = "rest-get"
  static let summary = "REST GET of a document, CPU per request against nginx"

  static func run(_ plan: Plan) throws -> [Measurement] {
    let subject = try Subject(plan)
    let bytes = try subject.storeSample()
    let count = plan.requests(200_000)
    let url = "http://127.0.0.1:\(subject.port)/v1/\(Subject.database)/documents/bench/sample"
    func load(_ url: String, _ count: Int) throws -> Load {
      try Load.run(url, requests: count, http1: true, connections: 64)
    }
    _ = try load(url, count / 10)
    var rate = 0.0
    let cpu = try subject.cpu { rate = try load(url, count).rate }
    var results = [Measurement("rate", rate, "requests/s")]
    guard let cpu else { return results }
    let nginx = try Nginx(serving: bytes)
    _ = try load(nginx.url, count / 10)
    let before = try nginx.cpuNanoseconds()
    _ = try load(nginx.url, count)
    let theirs = Double(try nginx.cpuNanoseconds() - before)
    let perRequest = Double(count) * 1000
    results += [
      Measurement("CPU per request", cpu / perRequest, "µs"),
      Measurement("nginx, CPU per request", theirs / perRequest, "µs"),
      Measurement("ratio", cpu / theirs, "×", .atMost(2)),
    ]
    return results
  }
}

/// nginx in one process, with one file.
private final class Nginx {
  let url: String
  private let process: ChildProcess
  private let folder: TemporaryFolder

  init(serving bytes: [UInt8]) throws {
    folder = try TemporaryFolder()
    let port = try freePort()
    try writeFile(folder.path + "/sample", bytes)
    let settings = """
      daemon off; master_process off; pid \(folder.path)/pid; error_log stderr crit;
      events { worker_connections 1024; }
      http {
        access_log off; sendfile on; tcp_nodelay on; keepalive_requests 100000000; default_type application/json;
        open_file_cache max=10; client_body_temp_path \(folder.path)/b; proxy_temp_path \(folder.path)/p;
        fastcgi_temp_path \(folder.path)/f; uwsgi_temp_path \(folder.path)/u; scgi_temp_path \(folder.path)/s;
        server { listen 127.0.0.1:\(port); root \(folder.path); }
      }
      """
    try writeFile(folder.path + "/nginx.conf", Array(settings.utf8))
    process = try ChildProcess(["nginx", "-c", folder.path + "/nginx.conf", "-p", folder.path])
    url = "http://127.0.0.1:\(port)/sample"
    for _ in 0..<10_000 {
      if (try? HTTPSocket(port: port)) != nil { return }
      pauseBriefly()
    }
    throw BenchError("nginx does not start")
  }

  func cpuNanoseconds() throws -> Int { try ProcessUsage(processID: process.id).cpuNanoseconds() }
}
