/// A big object up and down, beside md5sum and nginx on the same file.
enum StorageBenchmark: Benchmark {
  static let name = "storage"
  static let summary =
    "upload against md5sum, download against nginx, and the memory that they take"

  private static let rounds = 3
  private static let path = "/v0/b/bench/o"

  static func run(_ plan: Plan) throws -> [Measurement] {
    let subject = try Subject(plan)
    guard let processID = subject.processID, subject.storagePort > 0 else {
      throw BenchError("it needs a server that is started here")
    }
    let usage = ProcessUsage(processID: processID)
    let folder = try TemporaryFolder()
    let file = try BulkFile(folder.path + "/big", mebibytes: plan.isQuick ? 512 : 5120)
    let size = Double(file.size)
    BulkFile.settle()
    let sum = try seconds { _ = try ChildProcess.run(["md5sum", file.path]) }
    let before = try usage.residentBytes().total
    let socket = try HTTPSocket(port: subject.storagePort)
    let upload = try socket.upload("\(path)?name=big", file: file)
    let grown = try usage.peakResidentBytes() - before
    BulkFile.settle()
    let (downloads, theirs) = try download(file, subject, folder)
    let peak = try usage.peakResidentBytes() - before
    let megabytes = size / 1_000_000
    return [
      Measurement("size", megabytes, "MB"),
      Measurement("md5sum", megabytes / sum, "MB/s"),
      Measurement("upload", megabytes / upload, "MB/s"),
      Measurement("upload to md5sum", sum / upload, "×", .atLeast(0.7)),
      Measurement("memory, upload", Double(grown) / 1_048_576, "MiB", .atMost(16)),
      Measurement("nginx, download", megabytes / theirs, "MB/s"),
      Measurement("download", megabytes / downloads, "MB/s"),
      Measurement("download to nginx", theirs / downloads, "×", .atLeast(0.8)),
      Measurement("memory, with downloads", Double(peak) / 1_048_576, "MiB", .atMost(16)),
    ]
  }

  /// The median seconds of ours and of nginx, taken in turn.
  private static func download(
    _ file: BulkFile, _ subject: Subject, _ folder: TemporaryFolder
  ) throws -> (ours: Double, theirs: Double) {
    let nginx = try Nginx(serving: "big", in: folder)
    var (ours, theirs): ([Double], [Double]) = ([], [])
    for _ in 0..<rounds {
      ours.append(
        try HTTPSocket(port: subject.storagePort)
          .download("\(path)/big?alt=media", size: file.size))
      theirs.append(try HTTPSocket(port: nginx.port).download(nginx.path, size: file.size))
    }
    return (median(ours), median(theirs))
  }

  private static func seconds(_ work: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    return try clock.measure(work) / .seconds(1)
  }
}
