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

  /// How many threads can run at the same time, at least 1.
  package static var processorCount: Int {
    Int(uv_available_parallelism())
  }
}
