/// A client that shows frames as they come.
final class HTTP2Client {
  private let client: TestClient
  private let decoder = HeaderDecoder()
  private var bytes: [UInt8] = []
  private var frames: [TestFrame] = []
  private var isClosed = false
  /// The time of day in the newest head that had one.
  private(set) var date: String?

  init(port: UInt16) async throws {
    client = try TestClient(port: port)
    try await client.send(ClientBytes.start)
  }

  func send(_ bytes: [UInt8]) async throws {
    try await client.send(bytes)
  }

  deinit { close() }

  /// Harmless when it is closed already.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    client.close()
  }

  /// The next frame that is not about settings or windows; `nil` at the end of the connection.
  func next() async throws -> TestFrame? {
    while true {
      while !frames.isEmpty {
        let frame = frames.removeFirst()
        if frame.type != TestFrame.settings, frame.type != TestFrame.windowUpdate { return frame }
      }
      let more = try await client.receive()
      if more.isEmpty { return nil }
      bytes += more
      let (found, count) = TestFrame.parse(bytes)
      frames += found
      bytes.removeFirst(count)
    }
  }

  /// The fields of the next frame, which is HEADERS, without the time of day.
  func fields() async throws -> [String] {
    guard let frame = try await next(), frame.type == TestFrame.headers else { return [] }
    let fields = decoder.decode(frame.payload)
    date = fields.first { $0.hasPrefix("date: ") } ?? date
    return fields.filter { !$0.hasPrefix("date: ") }
  }
}
