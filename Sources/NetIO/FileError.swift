internal import CUV

/// Why a file or folder could not be used.
package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    case notFound
    /// There is something of this name already.
    case alreadyExists
    /// The disk is full, or its quota.
    case full
    /// Anything else that the system reports.
    case system
  }

  package var code: Code
  /// One sentence without the code.
  package var message: String

  package var description: String { message }

  /// The meaning of a negative status of libuv.
  init(status: Int, path: String) {
    let status = Int32(truncatingIfNeeded: status)
    message = unsafe path + ": " + String(cString: uv_strerror(status))
    code =
      switch uv_errno_t(rawValue: status) {
      case UV_ENOENT: .notFound
      case UV_EEXIST: .alreadyExists
      case UV_ENOSPC, UV_EFBIG: .full
      default: status == UV__EDQUOT ? .full : .system
      }
  }
}

/// libuv has no name for EDQUOT.
private let UV__EDQUOT: Int32 = -122
