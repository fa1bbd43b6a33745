import Foundation

/// A connection that sends what it is told to, byte for byte, and waits for each answer.
///
/// No client of a library: those normalise paths and field names, which is what cases are about.
final class HTTPConnection {
  struct Response: Sendable {
    var status: Int
    /// Names in lower case; of several lines the last counts.
    var headers: [String: String]
    var body: [UInt8]
  }

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private let descriptor: Int32
  private let host: String
  private var received: [UInt8] = []
  private(set) var isReusable = true

  init(host: String, port: Int, timeout: Int = 30) throws {
    self.host = "\(host):\(port)"
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_INET
    #if os(Linux)
      unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      unsafe hints.ai_socktype = SOCK_STREAM
    #endif
    var found: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, String(port), &hints, &found) == 0, let address = unsafe found
    else { throw Failure(description: "cannot resolve \(host)") }
    defer { unsafe freeaddrinfo(address) }
    descriptor = unsafe socket(address.pointee.ai_family, address.pointee.ai_socktype, 0)
    guard unsafe connect(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0
    else {
      close(descriptor)
      throw Failure(description: "cannot connect to \(self.host): errno \(errno)")
    }
    var limit = timeval(tv_sec: timeout, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    var yes: Int32 = 1
    unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, 4)
  }

  deinit { close(descriptor) }

  /// Sends a request and reads the answer to it.
  func exchange(
    _ method: String, _ target: [UInt8], headers: [(String, [UInt8])], body: [UInt8]?
  ) throws -> Response {
    var request = Array("\(method) ".utf8) + target
    request += " HTTP/1.1\r\nHost: \(host)\r\nAccept-Encoding: identity\r\n".utf8
    if body != nil || ["POST", "PUT", "PATCH"].contains(method) {
      request += "Content-Length: \(body?.count ?? 0)\r\n".utf8
    }
    for (name, value) in headers {
      request += "\(name): ".utf8
      request += value
      request += "\r\n".utf8
    }
    request += "\r\n".utf8
    try transmit(request + (body ?? []))
    while true {
      let response = try readResponse(to: method)
      if response.status >= 200 { return response }
    }
  }

  private func transmit(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes { buffer in
        unsafe send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
      }
      // A server may answer before it has read all: that answer is read below.
      if count < 0 {
        isReusable = false
        return
      }
      sent += count
    }
  }

  /// Waits for more bytes; `false` at the end of the stream.
  private func receive() throws -> Bool {
    var chunk = [UInt8](repeating: 0, count: 65536)
    let count = unsafe chunk.withUnsafeMutableBytes { buffer in
      unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
    }
    guard count >= 0 else { throw Failure(description: "no answer: errno \(errno)") }
    received += chunk[..<count]
    return count > 0
  }

  private func readLine() throws -> String {
    while true {
      if let end = received.firstIndex(of: 0x0A) {
        let line = received[..<end].last == 0x0D ? received[..<(end - 1)] : received[..<end]
        let text = String(decoding: line, as: UTF8.self)
        received.removeFirst(end + 1)
        return text
      }
      guard try receive() else { throw Failure(description: "connection closed by the server") }
    }
  }

  private func read(_ count: Int) throws -> [UInt8] {
    while received.count < count {
      guard try receive() else { throw Failure(description: "answer cut short") }
    }
    defer { received.removeFirst(count) }
    return Array(received[..<count])
  }

  private func readResponse(to method: String) throws -> Response {
    let parts = try readLine().split(separator: " ", maxSplits: 2)
    guard parts.count >= 2, parts[0].hasPrefix("HTTP/1."), let status = Int(parts[1]) else {
      throw Failure(description: "no HTTP answer: \(parts)")
    }
    var headers: [String: String] = [:]
    while true {
      let line = try readLine()
      if line.isEmpty { break }
      let field = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      headers[field[0].lowercased()] =
        field.count > 1 ? field[1].trimmingCharacters(in: .whitespaces) : ""
    }
    if headers["connection"]?.lowercased() == "close" { isReusable = false }
    if method == "HEAD" || status < 200 || status == 204 || status == 304 {
      return Response(status: status, headers: headers, body: [])
    }
    return Response(status: status, headers: headers, body: try readBody(headers))
  }

  private func readBody(_ headers: [String: String]) throws -> [UInt8] {
    if headers["transfer-encoding"]?.lowercased() == "chunked" {
      var body: [UInt8] = []
      while true {
        let size = try readLine().split(separator: ";").first.map(String.init) ?? ""
        guard let count = Int(size.trimmingCharacters(in: .whitespaces), radix: 16) else {
          throw Failure(description: "bad chunk size \(size)")
        }
        if count == 0 {
          while try !readLine().isEmpty {}
          return body
        }
        body += try read(count)
        _ = try readLine()
      }
    }
    if let length = headers["content-length"].flatMap({ Int($0) }) { return try read(length) }
    isReusable = false
    while try receive() {}
    defer { received = [] }
    return received
  }
}
