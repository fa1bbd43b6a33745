import Foundation

struct Failure: Error, CustomStringConvertible {
  var description: String
}

/// Takes an answer apart while its bytes come.
struct AnswerReader {
  private(set) var status: Int?
  /// By names in lower case.
  private(set) var fields: [String: String] = [:]
  private(set) var body: [UInt8] = []
  private(set) var isEnded = false
  private var rest: [UInt8] = []
  private var remaining: Int?

  mutating func append(_ bytes: some Sequence<UInt8>) throws {
    rest += bytes
    if status == nil {
      guard let end = rest.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
      try readHead(String(decoding: rest[..<end.lowerBound], as: UTF8.self))
      rest.removeFirst(end.upperBound)
    }
    try readBody()
  }

  private mutating func readHead(_ text: String) throws {
    let lines = text.components(separatedBy: "\r\n")
    guard let status = Int(lines[0].split(separator: " ").dropFirst().first ?? "") else {
      throw Failure(description: "no answer: \(text)")
    }
    self.status = status
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      fields[parts[0].lowercased()] =
        parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
    }
    if fields["transfer-encoding"] == nil {
      remaining = status == 204 ? 0 : Int(fields["content-length"] ?? "0")
    }
  }

  private mutating func readBody() throws {
    while !isEnded {
      if let count = remaining {
        let part = rest.prefix(count)
        body += part
        rest.removeFirst(part.count)
        remaining = count - part.count
        guard remaining == 0 else { return }
        if fields["transfer-encoding"] == nil {
          isEnded = true
          return
        }
        guard rest.count >= 2 else { return }
        rest.removeFirst(2)
        remaining = nil
      }
      guard let end = rest.firstRange(of: [13, 10]) else { return }
      guard let size = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16)
      else { throw Failure(description: "no chunk size") }
      rest.removeFirst(end.upperBound)
      if size == 0 {
        isEnded = true
        rest = []
      } else {
        remaining = size
      }
    }
  }

  /// The whole pieces of the channel in the body.
  var pieces: [String] {
    var units = Array(String(decoding: body, as: UTF8.self).utf16)[...]
    var pieces: [String] = []
    while let end = units.firstIndex(of: 0x0a),
      let count = Int(String(decoding: units[..<end], as: UTF16.self)),
      units.count > end - units.startIndex + count
    {
      pieces.append(String(decoding: units[(end + 1)...].prefix(count), as: UTF16.self))
      units = units[(end + 1 + count)...]
    }
    return pieces
  }

  /// The arrays in them, with their numbers.
  var arrays: [(id: Int, content: Any)] {
    pieces.flatMap { piece -> [(id: Int, content: Any)] in
      let arrays = try? JSONSerialization.jsonObject(with: Data(piece.utf8)) as? [[Any]]
      return (arrays ?? []).compactMap { array in
        guard array.count == 2, let id = array[0] as? Int else { return nil }
        return (id, (array[1] as? [Any])?.first ?? NSNull())
      }
    }
  }
}

/// A connection that sends what it is told to, byte for byte. It blocks.
final class RawConnection {
  private let descriptor: Int32
  private(set) var answer = AnswerReader()

  /// `patience` is how many seconds it waits for what comes next.
  init(port: UInt16, patience: Int = 20) throws {
    #if os(Linux)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    descriptor = socket(AF_INET, kind, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = unsafe withUnsafeBytes(of: &address) { bytes in
      unsafe connect(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, size)
    }
    guard status == 0 else { throw Failure(description: "cannot connect") }
    var limit = timeval(tv_sec: patience, tv_usec: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  func send(_ bytes: [UInt8]) throws {
    answer = AnswerReader()
    guard unsafe Foundation.send(descriptor, bytes, bytes.count, 0) == bytes.count else {
      throw Failure(description: "cannot send")
    }
  }

  /// Reads until the answer is what `condition` says.
  func read(until condition: (AnswerReader) -> Bool) throws {
    while !condition(answer) {
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
      guard count > 0 else {
        throw Failure(
          description: "the answer ends or stalls: \(answer.status ?? 0) \(answer.pieces)")
      }
      try answer.append(bytes[..<count])
    }
  }
}

/// Runs `body` on a thread of its own, which it may block.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws
  -> Result
{
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: .init(catching: body)) }
  }
}
