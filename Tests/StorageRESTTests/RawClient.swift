import Foundation
import Synchronization

/// A blocking connection to a port of this machine, on a thread of its own. It shows answers as they are on the wire.
final class RawClient: Sendable {
  struct Failure: Error {
    var message: String
  }

  /// An answer, its field names in the case that they came in.
  struct Answer: Sendable {
    var status: Int
    var fields: [(name: String, value: String)]
    var body: [UInt8]

    /// The value of a field, looked up in exactly this case.
    subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// The same in any case.
    func value(_ name: String) -> String? {
      fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as a JSON object; empty if it is none.
    var json: [String: Any] {
      (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
    }

    /// The message of an error.
    var message: String? { (json["error"] as? [String: Any])?["message"] as? String }
  }

  private let descriptor: Int32
  private let queue = DispatchQueue(label: "client")
  /// What was received beyond what was asked for.
  private let unread = Mutex<[UInt8]>([])

  init(port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var timeout = timeval(tv_sec: 60, tv_usec: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
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

  deinit { close(descriptor) }

  /// Sends a request and gives the answer. A body without a length of its own gets one.
  func exchange(
    _ method: String, _ target: String, _ fields: [(String, String)], _ body: [UInt8]
  ) async throws -> Answer {
    var head = "\(method) \(target) HTTP/1.1\r\n"
    for (name, value) in fields { head += "\(name): \(value)\r\n" }
    let names = fields.map { $0.0.lowercased() }
    if !names.contains("content-length"), !names.contains("transfer-encoding") {
      head += "Content-Length: \(body.count)\r\n"
    }
    let request = Array((head + "\r\n").utf8) + body
    return try await run {
      try self.send(request)
      return try self.receive(isHead: method == "HEAD")
    }
  }

  /// Sends bytes, and nothing is awaited.
  func send(_ bytes: [UInt8]) async throws { try await run { try self.send(bytes) } as Void }

  /// Receives one answer.
  func answer() async throws -> Answer { try await run { try self.receive(isHead: false) } }

  /// Receives the head of an answer, and no more of the body than came with it.
  func head() async throws -> (status: Int, body: [UInt8]) {
    try await run {
      let (status, _) = try self.receiveHead()
      return (status, try self.take { $0.count })
    }
  }

  /// Receives what is left until the connection ends or `count` bytes have come.
  func rest(_ count: Int) async throws -> [UInt8] {
    try await run { try self.take(count) }
  }

  private func run<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try body() }) }
    }
  }

  private func send(_ bytes: [UInt8]) throws {
    var offset = 0
    while offset < bytes.count {
      let count = unsafe bytes[offset...].withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Failure(message: "send: \(errno)") }
      offset += count
    }
  }

  private func more() throws {
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { throw Failure(message: "the connection ended: \(errno)") }
    unread.withLock { $0 += buffer[..<count] }
  }

  /// What `end` finds to be whole in what was received.
  private func take(upTo end: ([UInt8]) -> Int?) throws -> [UInt8] {
    while true {
      let taken = unread.withLock { unread -> [UInt8]? in
        guard let end = end(unread) else { return nil }
        defer { unread.removeFirst(end) }
        return Array(unread[..<end])
      }
      if let taken { return taken }
      try more()
    }
  }

  private func take(_ count: Int) throws -> [UInt8] {
    try take { $0.count >= count ? count : nil }
  }

  private func line() throws -> String {
    let line = try take { $0.firstIndex(of: 0x0a).map { $0 + 1 } }
    return String(decoding: line.filter { $0 != 0x0d && $0 != 0x0a }, as: UTF8.self)
  }

  private func receiveHead() throws -> (Int, [(name: String, value: String)]) {
    let status = Int(try line().split(separator: " ").dropFirst().first ?? "") ?? 0
    var fields: [(name: String, value: String)] = []
    while case let line = try line(), !line.isEmpty {
      let parts = line.components(separatedBy: ": ")
      fields.append((parts[0], parts.dropFirst().joined(separator: ": ")))
    }
    return (status, fields)
  }

  private func receive(isHead: Bool) throws -> Answer {
    let (status, fields) = try receiveHead()
    if status == 100 { return try receive(isHead: isHead) }
    var answer = Answer(status: status, fields: fields, body: [])
    if isHead || status == 204 || status == 304 { return answer }
    if answer.value("transfer-encoding") == "chunked" {
      while let size = Int(try line(), radix: 16), size > 0 {
        answer.body += try take(size)
        _ = try line()
      }
      _ = try line()
    } else {
      answer.body = try take(Int(answer.value("content-length") ?? "") ?? 0)
    }
    return answer
  }
}
