internal import CUV

/// An open file, read and written at offsets. Its calls block: make them on a `ThreadPool`.
///
/// It is closed with its last reference; what was opened stays readable when its name is gone.
package final class File: Sendable {
  package enum Access: Sendable {
    case reading
    /// For reading and writing; made if it is missing.
    case writing
  }

  package let path: String
  private let descriptor: Int32

  /// - Throws: `.notFound`, `.full`, `.system`.
  package init(_ path: String, _ access: Access) throws(FileError) {
    let flags =
      switch access {
      case .reading: UV_FS_O_RDONLY
      case .writing: UV_FS_O_RDWR | UV_FS_O_CREAT
      }
    self.path = path
    descriptor = Int32(
      truncatingIfNeeded: try unsafe FileSystem.perform(path) {
        unsafe uv_fs_open(nil, $0, path, flags | O_CLOEXEC, 0o644, nil)
      })
  }

  deinit {
    var request = unsafe uv_fs_t()
    _ = unsafe uv_fs_close(nil, &request, descriptor, nil)
    unsafe uv_fs_req_cleanup(&request)
  }

  /// Its length in bytes.
  package var size: Int64 {
    get throws(FileError) {
      var size: UInt64 = 0
      _ = try unsafe FileSystem.perform(path) {
        let status = unsafe uv_fs_fstat(nil, $0, descriptor, nil)
        size = unsafe $0.pointee.statbuf.st_size
        return status
      }
      return Int64(clamping: size)
    }
  }

  /// Writes all of `bytes`.
  ///
  /// - Throws: `.full`, `.system`; some of the bytes may be written then.
  package func write(_ bytes: Span<UInt8>, at offset: Int64) throws(FileError) {
    var written = 0
    while written < bytes.count {
      let rest = bytes.extracting(written...)
      written += try unsafe FileSystem.perform(path) { request in
        unsafe rest.withUnsafeBufferPointer { rest in
          let start = unsafe UnsafeMutableRawPointer(mutating: UnsafeRawPointer(rest.baseAddress))
          var buffer = unsafe uv_buf_init(
            start?.assumingMemoryBound(to: CChar.self), UInt32(clamping: rest.count))
          return unsafe uv_fs_write(
            nil, request, descriptor, &buffer, 1, offset + Int64(written), nil)
        }
      }
    }
  }

  /// The bytes from `offset` on, at most `count`; fewer only at the end of the file.
  ///
  /// - Throws: `.system`.
  package func read(_ count: Int, at offset: Int64) throws(FileError) -> [UInt8] {
    var failure: FileError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { target, filled in
      while filled < count, failure == nil {
        let rest = unsafe UnsafeMutableRawPointer(target.baseAddress.map { unsafe $0 + filled })
        var buffer = unsafe uv_buf_init(
          rest?.assumingMemoryBound(to: CChar.self), UInt32(clamping: count - filled))
        do throws(FileError) {
          let read = try unsafe FileSystem.perform(path) {
            unsafe uv_fs_read(nil, $0, descriptor, &buffer, 1, offset + Int64(filled), nil)
          }
          if read == 0 { return }
          filled += read
        } catch {
          failure = error
        }
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Gives bytes from `offset` on, at most `count`, to a socket that does not block, without taking them into memory.
  ///
  /// - Returns: how many bytes the socket took; 0 if it has no room or the file no more.
  /// - Throws: `.system`, also if the peer is gone.
  package func send(_ count: Int, at offset: Int64, to socket: Int32) throws(FileError) -> Int {
    let sent = cuv_send_file(socket, descriptor, offset, count)
    if sent == Int64(UV_EAGAIN.rawValue) { return 0 }
    guard sent >= 0 else { throw FileError(status: Int(sent), path: path) }
    return Int(sent)
  }

  /// Cuts the file to its first `size` bytes.
  ///
  /// - Throws: `.system`.
  package func truncate(to size: Int64) throws(FileError) {
    _ = try unsafe FileSystem.perform(path) {
      unsafe uv_fs_ftruncate(nil, $0, descriptor, size, nil)
    }
  }

  /// Returns when a power cut can take nothing away any more.
  ///
  /// - Throws: `.full`, `.system`.
  package func synchronize() throws(FileError) {
    _ = try unsafe FileSystem.perform(path) { unsafe uv_fs_fsync(nil, $0, descriptor, nil) }
  }
}
