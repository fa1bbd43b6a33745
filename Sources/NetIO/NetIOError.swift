internal import CUV

/// Why a socket could not be opened, or why a connection ended.
package struct NetIOError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// Somebody else listens at the address.
    case addressInUse
    /// The machine has no such address or does not speak its family.
    case addressNotAvailable
    /// The process may not do this, such as listen on a port below 1024.
    case permissionDenied
    /// The host is neither an IP literal nor `localhost`.
    case unknownHost
    /// The peer ended the connection abruptly.
    case connectionReset
    /// Nobody listens at the address.
    case connectionRefused
    /// There is no such program.
    case notFound
    /// The process has no descriptor or memory left.
    case outOfResources
    /// Anything else that the system reports.
    case system
  }

  package var code: Code
  /// One sentence without the code, such as `address already in use`.
  package var message: String

  package var description: String { message }

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The meaning of a negative status of libuv.
  init(status: Int32) {
    message = unsafe String(cString: uv_strerror(status))
    code =
      switch uv_errno_t(rawValue: status) {
      case UV_EADDRINUSE: .addressInUse
      case UV_EADDRNOTAVAIL, UV_EAFNOSUPPORT: .addressNotAvailable
      case UV_EACCES, UV_EPERM: .permissionDenied
      case UV_ECONNREFUSED: .connectionRefused
      case UV_ENOENT: .notFound
      case UV_ECONNRESET, UV_EPIPE, UV_ECONNABORTED, UV_ETIMEDOUT: .connectionReset
      case UV_EMFILE, UV_ENFILE, UV_ENOMEM, UV_ENOBUFS: .outOfResources
      default: .system
      }
  }
}
