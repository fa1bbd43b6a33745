import Coding
import NetIO

/// Asks a running server one thing.
enum ControlClient {
  struct Answer {
    var status: Int
    var body: [UInt8]
  }

  private static let patience = Duration.seconds(5)
  private static let mostBytes = 1 << 20

  /// - Throws: `.connectionRefused` and others if no server answers within 5 s.
  static func send(
    _ method: String, _ path: String, to location: ServerLocation
  ) async throws(NetIOError) -> Answer {
    let loop = try EventLoop()
    do throws(NetIOError) {
      let bytes = try await exchange(method, path, location, loop)
      await loop.shutdown()
      guard let answer = parse(bytes) else { throw NetIOError(.system, "no answer of a server") }
      return answer
    } catch {
      await loop.shutdown()
      throw error
    }
  }

  private static func exchange(
    _ method: String, _ path: String, _ location: ServerLocation, _ loop: EventLoop
  ) async throws(NetIOError) -> [UInt8] {
    var failure = NetIOError(.system, "no address")
    for address in try SocketAddress.resolve(host: location.host, port: location.port) {
      do throws(NetIOError) {
        let connection = try await TCPConnection.connect(to: address, on: loop)
        let request = "\(method) \(path) HTTP/1.1\r\nHost: \(address)\r\nConnection: close\r\n\r\n"
        return try await withCheckedContinuation { continuation in
          connection.execute { connection in
            let collector = Collector { continuation.resume(returning: $0) }
            connection.delegate = collector
            loop.schedule(after: patience) { [weak connection] in connection?.close() }
            connection.startReading()
            connection.write(Array(request.utf8).span)
            collector.connection = connection
          }
        }.get()
      } catch {
        failure = error
      }
    }
    throw failure
  }

  /// The status, and what stands behind the fields.
  private static func parse(_ bytes: [UInt8]) -> Answer? {
    let text = String(decoding: bytes.prefix(16), as: UTF8.self).split(separator: " ")
    guard text.count > 1, text[0] == "HTTP/1.1", let status = Int(text[1]) else { return nil }
    let blankLine = Array("\r\n\r\n".utf8)
    let end = bytes.indices.first { bytes[$0...].starts(with: blankLine) }
    return Answer(status: status, body: end.map { Array(bytes[($0 + 4)...]) } ?? [])
  }

  /// Collects what comes until the server closes.
  private final class Collector: TCPConnectionDelegate {
    private var bytes: [UInt8] = []
    private let done: (Result<[UInt8], NetIOError>) -> Void
    weak var connection: TCPConnection?

    init(_ done: @escaping (Result<[UInt8], NetIOError>) -> Void) {
      self.done = done
    }

    func connectionReceived(_ bytes: Span<UInt8>) {
      self.bytes.append(contentsOf: Array(bytes))
      if self.bytes.count > ControlClient.mostBytes { connection?.close() }
    }

    func connectionReceivedEnd() {
      connection?.close()
    }

    func connectionDrained() {}

    func connectionClosed(_ error: NetIOError?) {
      done(error.map { .failure($0) } ?? .success(bytes))
    }
  }
}
