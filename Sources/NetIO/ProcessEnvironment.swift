internal import CUV

/// What the process was started with, and on.
package enum ProcessEnvironment {
  /// The value of a variable of the environment; `nil` if it is not set.
  package static func variable(_ name: String) -> String? {
    var capacity = 256
    while true {
      var value = [CChar](repeating: 0, count: capacity)
      var size = capacity
      switch unsafe uv_os_getenv(name, &value, &size) {
      case 0:
        return String(decoding: value.prefix(size).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      case UV_ENOBUFS.rawValue: capacity = size
      default: return nil
      }
    }
  }

  /// All variables of the environment.
  package static var variables: [String: String] {
    var items: UnsafeMutablePointer<uv_env_item_t>?
    var count: Int32 = 0
    guard unsafe uv_os_environ(&items, &count) == 0, let items = unsafe items else { return [:] }
    defer { unsafe uv_os_free_environ(items, count) }
    var variables: [String: String] = [:]
    for index in 0..<Int(count) {
      let item = unsafe items[index]
      variables[unsafe String(cString: item.name)] = unsafe String(cString: item.value)
    }
    return variables
  }

  /// The number of this process.
  package static var processIdentifier: Int32 {
    uv_os_getpid()
  }

  /// Whether a process of this number runs, whoever owns it.
  package static func isRunning(_ processIdentifier: Int32) -> Bool {
    guard processIdentifier > 0 else { return false }
    return uv_kill(processIdentifier, 0) != UV_ESRCH.rawValue
  }

  /// Whether standard input, output or error is a terminal.
  package static func isTerminal(_ descriptor: Int32) -> Bool {
    uv_guess_handle(descriptor) == UV_TTY
  }

  /// How many threads can run at the same time, at least 1.
  package static var processorCount: Int {
    Int(uv_available_parallelism())
  }
}
