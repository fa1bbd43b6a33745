internal import CUV

/// What is done to files and folders by their names. All calls block.
package enum FileSystem {
  /// Where the system wants temporary files, without a slash at its end.
  package static var temporaryFolder: String {
    var size = 4096
    var bytes = [CChar](repeating: 0, count: size)
    guard unsafe uv_os_tmpdir(&bytes, &size) == 0 else { return "/tmp" }
    return String(decoding: bytes.prefix(size).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The folder that relative paths begin at.
  package static var currentFolder: String {
    var size = 4096
    var bytes = [CChar](repeating: 0, count: size)
    guard unsafe uv_cwd(&bytes, &size) == 0 else { return "/" }
    return String(decoding: bytes.prefix(size).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Makes a folder if it is missing; its parent must be there.
  package static func createFolder(_ path: String) throws(FileError) {
    do throws(FileError) {
      _ = try unsafe perform(path) { unsafe uv_fs_mkdir(nil, $0, path, 0o755, nil) }
    } catch {
      guard error.code == .alreadyExists else { throw error }
    }
  }

  /// Makes a new folder for this user alone, named `prefix` and some letters.
  ///
  /// - Returns: its path.
  package static func createUniqueFolder(_ prefix: String) throws(FileError) -> String {
    var made = ""
    let template = prefix + "XXXXXX"
    _ = try unsafe perform(prefix) {
      let status = unsafe uv_fs_mkdtemp(nil, $0, template, nil)
      if status == 0, let path = unsafe $0.pointee.path { made = unsafe String(cString: path) }
      return status
    }
    return made
  }

  /// The names in a folder, in no order.
  package static func names(in path: String) throws(FileError) -> [String] {
    var names: [String] = []
    _ = try unsafe perform(path) { request in
      let status = unsafe uv_fs_scandir(nil, request, path, 0, nil)
      var entry = unsafe uv_dirent_t()
      while status > 0, unsafe uv_fs_scandir_next(request, &entry) == 0 {
        if let name = unsafe entry.name { names.append(unsafe String(cString: name)) }
      }
      return status
    }
    return names
  }

  /// What a symbolic link stands for.
  package static func target(ofLink path: String) throws(FileError) -> String {
    var target = ""
    _ = try unsafe perform(path) {
      let status = unsafe uv_fs_readlink(nil, $0, path, nil)
      if status == 0, let text = unsafe $0.pointee.ptr {
        target = unsafe String(cString: text.assumingMemoryBound(to: CChar.self))
      }
      return status
    }
    return target
  }

  /// The bytes of a file, at most `limit`; those of a file of the kernel's too, which has no size.
  package static func contents(of path: String, limit: Int) throws(FileError) -> [UInt8] {
    try File(path, .reading).read(limit, at: 0)
  }

  /// Makes a file of `text`; whoever looks sees all of it or what was there before.
  package static func replace(_ path: String, with text: String) throws(FileError) {
    let new = "\(path).\(ProcessEnvironment.processIdentifier)"
    let file = try File(new, .writing)
    try file.truncate(to: 0)
    try file.write(Array(text.utf8).span, at: 0)
    try rename(new, to: path)
  }

  /// Gives a file another name, which may have been that of another one.
  package static func rename(_ path: String, to other: String) throws(FileError) {
    _ = try unsafe perform(path) { unsafe uv_fs_rename(nil, $0, path, other, nil) }
  }

  /// Removes a file; it is no error if it is missing.
  package static func remove(_ path: String) throws(FileError) {
    do throws(FileError) {
      _ = try unsafe perform(path) { unsafe uv_fs_unlink(nil, $0, path, nil) }
    } catch {
      guard error.code == .notFound else { throw error }
    }
  }

  /// Removes an empty folder.
  package static func removeFolder(_ path: String) throws(FileError) {
    _ = try unsafe perform(path) { unsafe uv_fs_rmdir(nil, $0, path, nil) }
  }

  /// Makes a call of libuv's at once, on this thread.
  ///
  /// - Returns: what the call returned, which is not negative.
  static func perform(
    _ path: String, _ call: (UnsafeMutablePointer<uv_fs_t>) -> Int32
  ) throws(FileError) -> Int {
    var request = unsafe uv_fs_t()
    let status = unsafe call(&request)
    unsafe uv_fs_req_cleanup(&request)
    guard status >= 0 else { throw FileError(status: Int(status), path: path) }
    return Int(status)
  }
}
