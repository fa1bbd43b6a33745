/// nginx in one process, with one file.
final class Nginx {
  let port: Int
  let path: String
  private let process: ChildProcess
  private let folder: TemporaryFolder

  /// Serves `bytes` as JSON.
  convenience init(serving bytes: [UInt8]) throws {
    let folder = try TemporaryFolder()
    try writeFile(folder.path + "/sample", bytes)
    try self.init(serving: "sample", in: folder)
  }

  /// Serves a file of a folder, in which it writes what it needs.
  init(serving file: String, in folder: TemporaryFolder) throws {
    self.folder = folder
    port = try freePort()
    path = "/" + file
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
    for _ in 0..<10_000 {
      if (try? HTTPSocket(port: port)) != nil { return }
      pauseBriefly()
    }
    throw BenchError("nginx does not start")
  }

  var url: String { "http://127.0.0.1:\(port)\(path)" }

  func cpuNanoseconds() throws -> Int { try ProcessUsage(processID: process.id).cpuNanoseconds() }
}
