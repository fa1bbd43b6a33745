/// A server to measure: started here, or the peer that the command line names.
final class Subject {
  static let database = "projects/bench/databases/(default)"

  let port: Int
  /// 0 for a peer.
  let storagePort: Int
  let processID: Int32?
  private let process: ChildProcess?
  private let folder: TemporaryFolder

  /// Starts a server with an empty database, or with the data that an earlier one left in `folder`, and waits until it
  /// answers.
  init(_ plan: Plan, in folder: TemporaryFolder? = nil) throws {
    self.folder = try folder ?? TemporaryFolder()
    if let peer = plan.peer {
      port = peer.port
      storagePort = 0
      processID = peer.processID
      process = nil
    } else {
      port = try freePort()
      storagePort = try freePort()
      let storage = plan.isEphemeral ? ["--ephemeral"] : ["--data-dir", self.folder.path + "/data"]
      let indexes = plan.indexes.map { ["--indexes", $0] } ?? []
      process = try ChildProcess(
        [
          plan.binary, "start", "--port", String(port), "--storage-port",
          String(storagePort), "--log-level", "error",
        ] + storage + indexes)
      processID = process?.id
    }
    _ = try firstAnswer()
  }

  /// Tries until a document read is answered.
  func firstAnswer() throws -> Int {
    for _ in 0..<50_000 {
      if let socket = try? HTTPSocket(port: port),
        let answer = try? socket.exchange("GET", "/v1/\(Self.database)/documents/bench/none")
      {
        return answer.status
      }
      pauseBriefly()
    }
    throw BenchError("no answer on port \(port)")
  }

  func connect() throws -> HTTPSocket { try HTTPSocket(port: port) }

  /// The CPU in nanoseconds that `work` costs this server; `nil` for a peer without a process.
  func cpu(of work: () throws -> Void) throws -> Double? {
    guard let processID else {
      try work()
      return nil
    }
    let usage = ProcessUsage(processID: processID)
    let before = try usage.cpuNanoseconds()
    try work()
    return Double(try usage.cpuNanoseconds() - before)
  }

  /// Resident memory in MiB; `nil` for a peer without a process.
  func residentMebibytes() throws -> Double? {
    guard let processID else { return nil }
    return Double(try ProcessUsage(processID: processID).residentBytes().total) / 1_048_576
  }

  /// The most memory that was ever resident in MiB; `nil` for a peer without a process.
  func peakMebibytes() throws -> Double? {
    guard let processID else { return nil }
    return Double(try ProcessUsage(processID: processID).peakBytes()) / 1_048_576
  }

  /// Commits `count` batches, two at a time, each with the body that `batch` gives.
  func commit(_ count: Int, batch: (Int) -> String) throws {
    let sockets = [try connect(), try connect()]
    for index in 0..<count + 2 {
      let socket = sockets[index % 2]
      if index >= 2 {
        let status = try socket.end().status
        guard status == 200 else { throw BenchError("a commit was answered \(status)") }
      }
      guard index < count else { continue }
      if index % 100 == 99 { note("\(index + 1) of \(count) batches stored") }
      try socket.begin("POST", "/v1/\(Self.database)/documents:commit", body: batch(index))
    }
  }

  /// Stores the document that get benchmarks read; the JSON that answers it.
  func storeSample() throws -> [UInt8] {
    let fields = (0..<10).map { "\"field\($0)\":{\"stringValue\":\"value \($0) of the sample\"}" }
    let body = "{\"fields\":{\(fields.joined(separator: ","))}}"
    let answer = try connect().exchange(
      "PATCH", "/v1/\(Self.database)/documents/bench/sample", body: body)
    guard answer.status == 200 else {
      throw BenchError("storing a document was answered \(answer.status)")
    }
    return answer.body
  }
}
