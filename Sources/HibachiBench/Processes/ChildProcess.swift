#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A process that was started here and ends with this value at the latest.
final class ChildProcess {
  let id: Int32
  private var isRunning = true
  private let output: Int32?

  /// Starts a command found in `PATH`; its standard output can be read when `capturing`.
  ///
  /// Without `capturing`, standard output goes nowhere; standard error always stays that of this process.
  init(_ command: [String], capturing: Bool = false) throws {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    var ends: [Int32] = [-1, -1]
    if capturing {
      guard unsafe pipe(&ends) == 0 else { throw BenchError("no pipe: errno \(errno)") }
      _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
      unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
      unsafe posix_spawn_file_actions_addclose(&actions, ends[1])
    } else {
      unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    }
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe command.map { unsafe strdup($0) }
    unsafe arguments.append(nil)
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var started: pid_t = 0
    let status = unsafe posix_spawnp(&started, command[0], &actions, nil, arguments, environ)
    if capturing { close(ends[1]) }
    guard status == 0 else {
      throw BenchError("cannot start \(command[0]): errno \(status)")
    }
    id = started
    output = capturing ? ends[0] : nil
  }

  deinit {
    if isRunning { stop() }
    if let output { close(output) }
  }

  /// Asks the process to end and waits until it has.
  func stop() {
    kill(id, SIGTERM)
    _ = waitForEnd()
  }

  /// Waits for the end; the exit status, or the negative number of the signal that ended it.
  func waitForEnd() -> Int32 {
    guard isRunning else { return 0 }
    isRunning = false
    var status: Int32 = 0
    while unsafe waitpid(id, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
  }

  /// Reads standard output up to its end.
  func readOutput() -> String {
    guard let output else { return "" }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes {
        unsafe read(output, $0.baseAddress, $0.count)
      }
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += chunk[..<count]
    }
  }

  /// Runs a command to its end and gives what it printed.
  static func run(_ command: [String]) throws -> String {
    let child = try ChildProcess(command, capturing: true)
    let text = child.readOutput()
    let status = child.waitForEnd()
    guard status == 0 else { throw BenchError("\(command[0]) ended with \(status): \(text)") }
    return text
  }
}
