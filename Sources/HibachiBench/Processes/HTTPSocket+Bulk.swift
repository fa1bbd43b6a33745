#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Bodies that are too big to be kept.
extension HTTPSocket {
  /// Sends a file as the body of a POST and waits for the answer.
  ///
  /// - Returns: the seconds that this took.
  func upload(_ path: String, file: BulkFile) throws -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try transmit(
      Array("POST \(path) HTTP/1.1\r\nHost: \(host)\r\nContent-Length: \(file.size)\r\n\r\n".utf8))
    try unsafe file.withPieces { piece in
      var offset = 0
      while offset < piece.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: piece[offset...])
        let count = unsafe send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
        guard count > 0 else { throw BenchError("\(host) took no body: errno \(errno)") }
        offset += count
      }
    }
    let status = try end().status
    guard status == 200 else { throw BenchError("\(host) answered \(status)") }
    return (clock.now - start) / .seconds(1)
  }

  /// Receives a body of a known size and drops it.
  ///
  /// - Returns: the seconds that this took.
  func download(_ path: String, size: Int) throws -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try transmit(Array("GET \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n".utf8))
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    var received = 0
    while true {
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      guard count >= 0 else { throw BenchError("\(host) ended: errno \(errno)") }
      if count == 0 { break }
      if received == 0, !buffer.starts(with: "HTTP/1.1 200".utf8) {
        throw BenchError("\(host) answered \(String(decoding: buffer[..<count], as: UTF8.self))")
      }
      received += count
    }
    guard size..<(size + 4096) ~= received else {
      throw BenchError("\(host) sent \(received) bytes for \(size)")
    }
    return (clock.now - start) / .seconds(1)
  }
}

/// A big file of bytes without a pattern, in the memory of the system.
struct BulkFile {
  let path: String
  let size: Int

  /// Writes a file of so many MiB, which are all different.
  init(_ path: String, mebibytes: Int) throws {
    self.path = path
    size = mebibytes << 20
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_TRUNC, 0o644)
    guard descriptor >= 0 else { throw BenchError("cannot write \(path): errno \(errno)") }
    defer { close(descriptor) }
    var state: UInt64 = 1
    var block = (0..<(1 << 17)).map { _ -> UInt64 in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state
    }
    for index in 0..<mebibytes {
      block[0] = UInt64(index)
      let count = unsafe block.withUnsafeBytes {
        unsafe write(descriptor, $0.baseAddress, $0.count)
      }
      guard count == 1 << 20 else { throw BenchError("cannot write \(path): errno \(errno)") }
    }
  }

  /// Lends the file in pieces of a megabyte.
  func withPieces(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let descriptor = unsafe open(path, O_RDONLY)
    guard descriptor >= 0 else { throw BenchError("cannot read \(path): errno \(errno)") }
    defer { close(descriptor) }
    guard let base = unsafe mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0),
      unsafe base != MAP_FAILED
    else { throw BenchError("cannot map \(path): errno \(errno)") }
    defer { unsafe munmap(base, size) }
    for offset in stride(from: 0, to: size, by: 1 << 20) {
      try unsafe body(
        UnsafeRawBufferPointer(start: base + offset, count: min(1 << 20, size - offset)))
    }
  }

  /// Waits until the disk has all that was written, so that nothing else is measured.
  static func settle() { sync() }
}
