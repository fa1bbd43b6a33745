#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A new folder for what a benchmark needs on disk; it goes with this value.
final class TemporaryFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/hibachi-bench-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw BenchError("no temporary folder: errno \(errno)")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    _ = try? ChildProcess.run(["rm", "-rf", path])
  }
}
