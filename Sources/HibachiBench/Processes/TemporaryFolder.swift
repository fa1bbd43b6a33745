#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A folder for what a benchmark needs on disk. A new one goes with this value.
final class TemporaryFolder {
  let path: String
  private let isKept: Bool

  /// A folder that is there, or is made, and stays.
  init(keeping path: String) throws {
    _ = try ChildProcess.run(["mkdir", "-p", path])
    self.path = path
    self.isKept = true
  }

  init() throws {
    var template = Array("/tmp/hibachi-bench-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw BenchError("no temporary folder: errno \(errno)")
    }
    isKept = false
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    if !isKept { _ = try? ChildProcess.run(["rm", "-rf", path]) }
  }
}
