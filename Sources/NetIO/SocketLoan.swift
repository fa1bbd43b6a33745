internal import CUV

/// The socket of a connection for those who write to it by themselves. It stays open as long as this is held, even if the connection
/// is closed meanwhile, so that its number cannot come to mean another one.
package final class SocketLoan: Sendable {
  /// Does not block.
  package let descriptor: Int32

  /// `nil` if the process has no descriptor left.
  init?(_ original: Int32) {
    descriptor = cuv_duplicate(original)
    if descriptor < 0 { return nil }
  }

  deinit {
    var request = unsafe uv_fs_t()
    _ = unsafe uv_fs_close(nil, &request, descriptor, nil)
    unsafe uv_fs_req_cleanup(&request)
  }
}
