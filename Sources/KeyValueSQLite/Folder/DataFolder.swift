internal import KeyValue

#if canImport(Darwin)
  private import Darwin
#elseif canImport(Musl)
  private import Musl
#else
  private import Glibc
#endif

/// The folder of a durable store, locked for this process until the last reference is gone.
///
/// ```
/// <folder>/.gitignore      "*"
/// <folder>/lock            empty; flock(2) is held on it while a server runs
/// <folder>/format          the number of the layout in decimal digits and a line feed
/// <folder>/store.sqlite    the database, with -wal beside it while it is open
/// ```
final class DataFolder: Sendable {
  /// The layout that this program writes.
  static let format = 1

  let path: String
  private let lock: Int32

  var database: String { path + "/store.sqlite" }

  /// Creates the folder if it is missing, locks it and looks at its format.
  ///
  /// - Throws: `.inUse`, `.newerFormat`, `.full`, `.unavailable`.
  init(_ path: String) throws(StoreError) {
    self.path = path
    try Self.createFolders(path)
    let descriptor = unsafe open(path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Self.systemError("The lock file can't be opened", path) }
    lock = descriptor
    // From here on `deinit` closes it, also when this throws.
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      if errno == EWOULDBLOCK {
        throw StoreError(.inUse, "Another server uses the data folder \(path).")
      }
      throw Self.systemError("The data folder can't be locked", path)
    }
    try checkFormat()
  }

  deinit {
    close(lock)
  }

  private func checkFormat() throws(StoreError) {
    guard let text = try Self.contents(of: path + "/format") else {
      try Self.create("*\n", at: path + "/.gitignore")
      try Self.create("\(Self.format)\n", at: path + "/format")
      return
    }
    let digits = text.prefix { $0 != UInt8(ascii: "\n") }
    guard let number = Int(String(decoding: digits, as: UTF8.self)), number > 0 else {
      throw StoreError(.unavailable, "The format number of the data folder \(path) can't be read.")
    }
    guard number <= Self.format else {
      throw StoreError(
        .newerFormat,
        "The data folder \(path) has format \(number); this server knows \(Self.format).")
    }
  }

  private static func createFolders(_ path: String) throws(StoreError) {
    var prefix = path.hasPrefix("/") ? "/" : ""
    for component in path.split(separator: "/") {
      prefix += component
      guard unsafe mkdir(prefix, 0o755) == 0 || errno == EEXIST || errno == EISDIR else {
        throw systemError("The data folder can't be created", path)
      }
      prefix += "/"
    }
  }

  /// The first bytes of a short file; nil if it is missing.
  private static func contents(of path: String) throws(StoreError) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw systemError("A file can't be opened", path)
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe read(descriptor, $0.baseAddress, $0.count)
    }
    guard count >= 0 else { throw systemError("A file can't be read", path) }
    return Array(bytes.prefix(count))
  }

  /// Writes a short file whole, or not at all.
  private static func create(_ text: String, at path: String) throws(StoreError) {
    let temporary = path + ".new"
    let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw systemError("A file can't be created", temporary) }
    let bytes = Array(text.utf8)
    let count = unsafe bytes.withUnsafeBytes {
      unsafe write(descriptor, $0.baseAddress, $0.count)
    }
    let error = systemError("A file can't be written", temporary)
    close(descriptor)
    guard count == bytes.count else { throw error }
    guard unsafe rename(temporary, path) == 0 else {
      throw systemError("A file can't be named", path)
    }
  }

  /// What `errno` says now.
  private static func systemError(_ what: String, _ path: String) -> StoreError {
    let number = errno
    let code: StoreError.Code = number == ENOSPC || number == EDQUOT ? .full : .unavailable
    let reason = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
    return StoreError(code, "\(what): \(path): \(reason).")
  }
}
