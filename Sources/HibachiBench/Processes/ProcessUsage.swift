#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a process uses, read from the system.
struct ProcessUsage {
  let processID: Int32

  /// The CPU time of all threads so far, in nanoseconds.
  func cpuNanoseconds() throws -> Int {
    var clock = clockid_t()
    var time = timespec()
    guard unsafe clock_getcpuclockid(processID, &clock) == 0,
      unsafe clock_gettime(clock, &time) == 0
    else { throw BenchError("no CPU clock of process \(processID)") }
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// Resident memory in bytes: all of it, and the part that no file backs.
  func residentBytes() throws -> (total: Int, anonymous: Int) {
    let text = try readFile("/proc/\(processID)/smaps_rollup")
    func value(_ name: String) -> Int? {
      text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        .flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) }
    }
    guard let total = value("Rss"), let anonymous = value("Anonymous") else {
      throw BenchError("smaps_rollup of process \(processID) has no Rss")
    }
    return (total * 1024, anonymous * 1024)
  }

  /// The most memory that was ever resident, in bytes.
  func peakBytes() throws -> Int {
    let text = try readFile("/proc/\(processID)/status")
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let kibibytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
        .flatMap({ Int($0) })
    else { throw BenchError("status of process \(processID) has no VmHWM") }
    return kibibytes * 1024
  }
}

extension ProcessUsage {
  /// The most memory that was ever resident, in bytes.
  func peakResidentBytes() throws -> Int {
    let text = try readFile("/proc/\(processID)/status")
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    guard let number = line?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
      throw BenchError("status of process \(processID) has no VmHWM")
    }
    return number * 1024
  }
}

/// The text of a small file.
func readFile(_ path: String) throws -> String {
  let descriptor = unsafe open(path, O_RDONLY)
  guard descriptor >= 0 else { throw BenchError("cannot read \(path): errno \(errno)") }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 16384)
  while true {
    let count = unsafe chunk.withUnsafeMutableBytes {
      unsafe read(descriptor, $0.baseAddress, $0.count)
    }
    guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
    bytes += chunk[..<count]
  }
}

/// Writes a file anew.
func writeFile(_ path: String, _ bytes: [UInt8]) throws {
  let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
  guard descriptor >= 0 else { throw BenchError("cannot write \(path): errno \(errno)") }
  defer { close(descriptor) }
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
    guard count > 0 else { throw BenchError("cannot write \(path): errno \(errno)") }
    rest = rest.dropFirst(count)
  }
}

/// The bytes of a file; 0 where there is none.
func fileSize(_ path: String) -> Int {
  var status = stat()
  return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
}

/// The folder that this program lies in.
func programFolder() -> String {
  var characters = [CChar](repeating: 0, count: 4096)
  let count = unsafe readlink("/proc/self/exe", &characters, characters.count)
  let bytes = characters[..<max(0, count)].map { UInt8(bitPattern: $0) }
  let path = String(decoding: bytes, as: UTF8.self)
  return path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    .joined(separator: "/")
}

/// Prints a line about what is going on, beside the results.
func note(_ text: String) {
  var line = Array((text + "\n").utf8)
  _ = unsafe line.withUnsafeMutableBytes { unsafe write(2, $0.baseAddress, $0.count) }
}

/// Lets this process and those that it starts open as many files as the system lets it.
func raiseDescriptorLimit() {
  var limit = rlimit()
  #if canImport(Glibc)
    let kind = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
  #else
    let kind = RLIMIT_NOFILE
  #endif
  guard unsafe getrlimit(kind, &limit) == 0 else { return }
  limit.rlim_cur = limit.rlim_max
  _ = unsafe setrlimit(kind, &limit)
}
