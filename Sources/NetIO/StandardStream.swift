internal import CUV

/// The output streams that every process has.
package enum StandardStream: Int32, Sendable {
  case output = 1
  case error = 2

  /// Writes a text whole and unbuffered, waiting if it must. A stream that is closed takes nothing.
  package func write(_ text: String) {
    var bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeMutableBufferPointer { bytes in
        var request = unsafe uv_fs_t()
        let rest = unsafe UnsafeMutableRawPointer(bytes.baseAddress.map { unsafe $0 + written })
        var buffer = unsafe uv_buf_init(
          rest?.assumingMemoryBound(to: CChar.self), UInt32(bytes.count - written))
        defer { unsafe uv_fs_req_cleanup(&request) }
        return unsafe uv_fs_write(nil, &request, rawValue, &buffer, 1, -1, nil)
      }
      guard count > 0 else { return }
      written += Int(count)
    }
  }
}
