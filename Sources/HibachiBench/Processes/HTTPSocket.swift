#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A blocking HTTP/1.1 connection to a loopback address.
final class HTTPSocket {
  let descriptor: Int32
  let host: String
  private var received: [UInt8] = []
  /// When the first bytes of the newest answer's body were here.
  private(set) var firstBytes = ContinuousClock.now

  init(port: Int) throws {
    host = "127.0.0.1:\(port)"
    descriptor = try connectedSocket(port: port)
  }

  deinit { close(descriptor) }

  /// Sends a request and waits for the answer.
  func exchange(_ method: String, _ path: String, body: String? = nil) throws -> (
    status: Int, body: [UInt8]
  ) {
    try begin(method, path, body: body)
    return try end()
  }

  /// Sends a request whose answer `end` waits for; one at a time.
  func begin(_ method: String, _ path: String, body: String? = nil) throws {
    var request = "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\nAuthorization: Bearer owner\r\n"
    if let body {
      request += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
    }
    try transmit(Array((request + "\r\n" + (body ?? "")).utf8))
  }

  func transmit(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw BenchError("\(host) took no request: errno \(errno)") }
      rest = rest.dropFirst(count)
    }
  }

  private func more() throws {
    var chunk = [UInt8](repeating: 0, count: 65536)
    let count = unsafe chunk.withUnsafeMutableBytes {
      unsafe recv(descriptor, $0.baseAddress, $0.count, 0)
    }
    guard count > 0 else { throw BenchError("\(host) gave no answer") }
    received += chunk[..<count]
  }

  private func line() throws -> String {
    while true {
      if let end = received.firstIndex(of: 0x0A) {
        let text = String(decoding: received[..<end].filter { $0 != 0x0D }, as: UTF8.self)
        received.removeFirst(end + 1)
        return text
      }
      try more()
    }
  }

  private func take(_ count: Int) throws -> [UInt8] {
    while received.count < count { try more() }
    defer { received.removeFirst(count) }
    return Array(received[..<count])
  }

  /// Waits until the answer to the request that was sent begins to come, and holds `text`.
  func wait(for text: String) throws {
    while !received.contains(text.utf8) { try more() }
  }

  /// Waits for the answer to the request that was sent.
  func end() throws -> (status: Int, body: [UInt8]) {
    let parts = try line().split(separator: " ")
    guard parts.count > 1, let status = Int(parts[1]) else {
      throw BenchError("\(host) does not speak HTTP/1.1")
    }
    var length = 0
    var isChunked = false
    while case let field = try line(), !field.isEmpty {
      let parts = field.lowercased().split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      if parts[0] == "content-length" { length = Int(parts[1].drop { $0 == " " }) ?? 0 }
      if parts[0] == "transfer-encoding" { isChunked = true }
    }
    guard isChunked else {
      defer { firstBytes = .now }
      return (status, try take(length))
    }
    var body: [UInt8] = []
    while let size = Int(try line(), radix: 16), size > 0 {
      if body.isEmpty { firstBytes = .now }
      body += try take(size)
      _ = try line()
    }
    _ = try line()
    return (status, body)
  }
}

/// A socket that is connected to a loopback address and sends at once.
func connectedSocket(port: Int) throws -> Int32 {
  #if canImport(Glibc)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  #else
    let descriptor = socket(AF_INET, SOCK_STREAM, 0)
  #endif
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = UInt16(port).bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  let status = unsafe withUnsafePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  guard status == 0 else {
    close(descriptor)
    throw BenchError("cannot connect to 127.0.0.1:\(port): errno \(errno)")
  }
  var yes: Int32 = 1
  unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, 4)
  return descriptor
}

/// A port that nothing listens on.
func freePort() throws -> Int {
  #if canImport(Glibc)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  #else
    let descriptor = socket(AF_INET, SOCK_STREAM, 0)
  #endif
  defer { close(descriptor) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  var size = socklen_t(MemoryLayout<sockaddr_in>.size)
  let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
      unsafe bind(descriptor, generic, size) == 0
        ? unsafe getsockname(descriptor, generic, &size) : -1
    }
  }
  guard status == 0 else { throw BenchError("no free port: errno \(errno)") }
  return Int(UInt16(bigEndian: address.sin_port))
}

/// Lets a fifth of a millisecond pass.
func pauseBriefly() {
  var time = timeval(tv_sec: 0, tv_usec: 200)
  _ = unsafe select(0, nil, nil, nil, &time)
}
