import Foundation

/// A connection with little room for what it has not read.
final class SlowClient {
  private let descriptor: Int32

  init(port: UInt16) throws {
    #if os(Linux)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    descriptor = socket(AF_INET, kind, 0)
    var room: Int32 = 16 << 10
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, 4)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = unsafe withUnsafeBytes(of: &address) { bytes in
      unsafe connect(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, size)
    }
    guard status == 0 else { throw POSIXError(.ECONNREFUSED) }
  }

  deinit {
    close(descriptor)
  }

  func write(_ text: String) throws {
    try write(Array(text.utf8))
  }

  func write(_ bytes: [UInt8]) throws {
    guard unsafe send(descriptor, bytes, bytes.count, 0) == bytes.count else {
      throw POSIXError(.EPIPE)
    }
  }

  /// At most `count` bytes; none at the end.
  func receive(_ count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let received = unsafe recv(descriptor, &bytes, count, 0)
    guard received >= 0 else { throw POSIXError(.ECONNRESET) }
    return Array(bytes.prefix(received))
  }
}
