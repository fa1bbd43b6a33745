import Dispatch
import Foundation

/// A plain socket that speaks bytes, on a thread of its own so that waiting holds up nobody.
struct TestClient: Sendable {
  struct Failure: Error {
    var message: String
  }

  /// An answer as it came.
  struct Answer: Sendable {
    var status: Int
    var fields: [String: String]
    var body: String
    var trailers: String = ""
  }

  private let descriptor: Int32
  private let queue = DispatchQueue(label: "client")
  private let unread = Unread()

  /// What was received beyond the answer that was asked for; used on `queue` only.
  private actor Unread {
    var bytes: [UInt8] = []
    func take() -> [UInt8] {
      defer { bytes = [] }
      return bytes
    }
    func put(_ bytes: [UInt8]) { self.bytes = bytes }
  }

  init(port: UInt16, hasSmallBuffers: Bool = false) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var timeout = timeval(tv_sec: 30, tv_usec: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    if hasSmallBuffers {
      // Reno, since BBR takes a peer that reads nothing for a slow network and creeps afterwards.
      var size: Int32 = 64 << 10
      unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4)
      unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, 4)
      unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_CONGESTION, "reno", 4)
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { [descriptor] in
        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw Failure(message: "connect: \(errno)") }
  }

  private func run<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try body() }) }
    }
  }

  func send(_ text: String) async throws { try await send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) async throws {
    try await run { [descriptor] in
      var offset = 0
      while offset < bytes.count {
        let count = unsafe bytes[offset...].withUnsafeBytes {
          unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { throw Failure(message: "send: \(errno)") }
        offset += count
      }
    }
  }

  /// Sends until the server takes nothing more, at most `limit` bytes. Returns how many it took.
  func flood(_ piece: [UInt8], limit: Int) async throws -> Int {
    try await run { [descriptor] in
      var total = 0
      var waits = 0
      while total < limit, waits < 10 {
        let count = unsafe piece.withUnsafeBytes {
          unsafe Glibc.send(
            descriptor, $0.baseAddress, $0.count,
            Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
        if count > 0 {
          total += count
          waits = 0
        } else {
          var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = unsafe Glibc.poll(&poll, 1, 30)
          waits += 1
        }
      }
      return total
    }
  }

  /// The next bytes; empty at the end of the stream.
  func receive() async throws -> [UInt8] {
    let kept = await unread.take()
    if !kept.isEmpty { return kept }
    return try await run { [descriptor] in
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      guard count >= 0 else { throw Failure(message: "recv: \(errno)") }
      return Array(buffer[..<count])
    }
  }

  func receiveToEnd() async throws -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let bytes = try await receive()
      if bytes.isEmpty { return all }
      all += bytes
    }
  }

  private func receive(until end: String) async throws -> String {
    var text: [UInt8] = []
    let mark = Array(end.utf8)
    while true {
      if let range = Data(text).range(of: Data(mark)) {
        await unread.put(Array(text[range.upperBound...]))
        return String(decoding: text[..<range.lowerBound], as: UTF8.self)
      }
      let bytes = try await receive()
      guard !bytes.isEmpty else {
        throw Failure(message: "ended after \(String(decoding: text, as: UTF8.self))")
      }
      text += bytes
    }
  }

  private func receive(exactly count: Int) async throws -> String {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let more = try await receive()
      guard !more.isEmpty else { throw Failure(message: "ended after \(bytes.count) of \(count)") }
      bytes += more
    }
    await unread.put(Array(bytes[count...]))
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// One answer with a length or in chunks.
  func answer(toHead isHead: Bool = false) async throws -> Answer {
    let lines = try await receive(until: "\r\n\r\n").components(separatedBy: "\r\n")
    let status = Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0
    var answer = Answer(status: status, fields: [:], body: "")
    for line in lines.dropFirst() {
      let parts = line.components(separatedBy: ": ")
      answer.fields[parts[0]] = parts.dropFirst().joined(separator: ": ")
    }
    if isHead || status == 100 || status == 204 { return answer }
    if answer.fields["transfer-encoding"] == "chunked" {
      while let size = Int(try await receive(until: "\r\n"), radix: 16), size > 0 {
        answer.body += try await receive(exactly: size)
        _ = try await receive(exactly: 2)
      }
      while case let line = try await receive(until: "\r\n"), !line.isEmpty {
        answer.trailers += line + "\n"
      }
    } else if let length = answer.fields["content-length"].flatMap({ Int($0) }) {
      answer.body = try await receive(exactly: length)
    }
    return answer
  }

  func closeWriting() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

  func close() { _ = Glibc.close(descriptor) }

  /// Closes so that the server gets a reset.
  func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &linger,
      socklen_t(MemoryLayout.size(ofValue: linger)))
    close()
  }
}
