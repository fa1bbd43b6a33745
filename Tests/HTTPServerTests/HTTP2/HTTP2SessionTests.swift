import Testing

@testable import HTTPServer

@Suite struct HTTP2SessionTests {
  /// Everything that the session has to send, as frames.
  private func sent(_ session: borrowing HTTP2Session) throws -> [TestFrame] {
    var output: [UInt8] = []
    try session.send(into: &output, upTo: .max)
    return TestFrame.parse(output).frames
  }

  private func feed(_ session: borrowing HTTP2Session, _ bytes: [UInt8]) throws {
    try session.receive(bytes.span)
  }

  private func text(_ event: HTTP2Event) -> String {
    switch event {
    case .request(let stream, let head):
      let fields = head.fields.lines.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
      return "request \(stream) \(head.method) \(head.target) \(head.authority) [\(fields)]"
    case .headTooLarge(let stream, _): return "too large \(stream)"
    case .body(let stream, let bytes): return "body \(stream) \(bytes)"
    case .endOfRequest(let stream): return "end \(stream)"
    case .answered(let stream): return "answered \(stream)"
    case .drained(let stream): return "drained \(stream)"
    case .closed(let stream, let code): return "closed \(stream) \(code)"
    case .pong(let payload): return "pong \(payload)"
    }
  }

  private func texts(_ session: borrowing HTTP2Session) -> [String] {
    session.takeEvents().map(text)
  }

  /// Bodies may come in any pieces: they are put together.
  private func joined(_ events: [HTTP2Event]) -> [String] {
    var result: [String] = []
    var body: [UInt8] = []
    for event in events {
      if case .body(_, let bytes) = event {
        body += bytes
      } else {
        result.append(text(event))
      }
    }
    return result + ["\(body)"]
  }

  static let call =
    ClientBytes.start
    + ClientBytes.request(
      1, "POST", "/a/B?c", [("te", "trailers"), ("x", "1"), ("x", "2")], end: false)
    + ClientBytes.data(1, [1, 2, 3], end: false) + ClientBytes.data(1, [4, 5], end: true)
    + ClientBytes.request(3, "GET", "/", end: true)

  static let callEvents = [
    "request 1 POST /a/B?c test [te=trailers x=1 x=2]", "end 1", "request 3 GET / test []", "end 3",
    "[1, 2, 3, 4, 5]",
  ]

  @Test func wholeInput() throws {
    let session = HTTP2Session()
    try feed(session, Self.call)
    #expect(joined(session.takeEvents()) == Self.callEvents)
  }

  @Test func byteByByte() throws {
    let session = HTTP2Session()
    for byte in Self.call { try feed(session, [byte]) }
    #expect(joined(session.takeEvents()) == Self.callEvents)
  }

  @Test(arguments: 0...HTTP2SessionTests.call.count)
  func cut(at offset: Int) throws {
    let session = HTTP2Session()
    try feed(session, Array(Self.call[..<offset]))
    var events = session.takeEvents()
    _ = try sent(session)
    try feed(session, Array(Self.call[offset...]))
    events += session.takeEvents()
    #expect(joined(events) == Self.callEvents)
  }

  @Test func settingsAndWindow() throws {
    let session = HTTP2Session()
    let frames = try sent(session)
    #expect(frames.map(\.type) == [TestFrame.settings, TestFrame.windowUpdate])
    #expect(frames[1].number(at: 0) == (4 << 20) - 65_535)
  }

  @Test func answerWithTrailers() throws {
    let session = HTTP2Session()
    try feed(session, Self.call)
    _ = try sent(session)
    _ = session.takeEvents()
    let outbox = HTTP2Outbox([7, 8], end: .trailers(HTTPFields([("grpc-status", "0")])))
    session.respond(
      to: 1, status: 200, fields: HTTPFields([("content-type", "x")]), outbox: outbox)
    let frames = try sent(session)
    let decoder = HeaderDecoder()
    #expect(frames.map(\.type) == [TestFrame.headers, TestFrame.data, TestFrame.headers])
    #expect(decoder.decode(frames[0].payload) == [":status: 200", "content-type: x"])
    #expect(frames[1].payload == [7, 8])
    #expect(decoder.decode(frames[2].payload) == ["grpc-status: 0"])
    #expect(frames.map(\.isLast) == [false, false, true])
    #expect(texts(session) == ["answered 1", "closed 1 0"])
  }

  @Test func trailersWithoutBody() throws {
    let session = HTTP2Session()
    try feed(session, Self.call)
    _ = try sent(session)
    session.respond(
      to: 1, status: 200, fields: HTTPFields(),
      outbox: HTTP2Outbox([], end: .trailers(HTTPFields([("a", "b")]))))
    let frames = try sent(session)
    #expect(frames.map(\.type) == [TestFrame.headers, TestFrame.headers])
    #expect(frames.map(\.isLast) == [false, true])
  }

  @Test func answerWithoutBody() throws {
    let session = HTTP2Session()
    try feed(session, Self.call)
    _ = try sent(session)
    session.respond(to: 3, status: 404, fields: HTTPFields(), outbox: nil)
    let frames = try sent(session)
    #expect(frames.map(\.isLast) == [true])
  }

  @Test func outboxThatWaits() throws {
    let session = HTTP2Session()
    try feed(session, Self.call)
    let outbox = HTTP2Outbox()
    session.respond(to: 1, status: 200, fields: HTTPFields(), outbox: outbox)
    #expect(try sent(session).last?.type == TestFrame.headers)
    #expect(outbox.isDeferred)
    outbox.append([9])
    session.resume(1)
    #expect(try sent(session).map(\.payload) == [[9]])
    outbox.finish(.endOfStream)
    session.resume(1)
    #expect(try sent(session).map(\.isLast) == [true])
  }

  /// The peer's window holds 65,535 bytes: the rest waits, and the owner learns when little is left.
  @Test func flowControl() throws {
    let session = HTTP2Session()
    try feed(session, Self.call)
    _ = try sent(session)
    _ = session.takeEvents()
    let outbox = HTTP2Outbox([UInt8](repeating: 1, count: 100_000), end: .endOfStream)
    outbox.drainMark = 1_000
    session.respond(to: 1, status: 200, fields: HTTPFields(), outbox: outbox)
    #expect(try sent(session).dropFirst().map(\.payload.count).reduce(0, +) == 65_535)
    #expect(texts(session) == [])
    for stream in [0, 1] {
      try feed(
        session, ClientBytes.frame(TestFrame.windowUpdate, 0, stream, ClientBytes.number(50_000)))
    }
    #expect(try sent(session).map(\.payload.count).reduce(0, +) == 100_000 - 65_535)
    #expect(texts(session) == ["drained 1", "answered 1", "closed 1 0"])
  }

  @Test func windowOpensOnlyWhenConsumed() throws {
    let session = HTTP2Session()
    try feed(session, ClientBytes.start + ClientBytes.request(1, "POST", "/", end: false))
    _ = try sent(session)
    // The stream's window is wider only once the peer knows.
    try feed(session, ClientBytes.frame(TestFrame.settings, 1, 0, []))
    let piece = ClientBytes.data(1, [UInt8](repeating: 0, count: 16_000), end: false)
    for _ in 0..<60 { try feed(session, piece) }
    #expect(try !sent(session).contains { $0.type == TestFrame.windowUpdate })
    session.consume(1, 60 * 16_000)
    let updates = try sent(session).filter { $0.type == TestFrame.windowUpdate }
    #expect(updates.map(\.stream) == [1])
    #expect(updates.map { $0.number(at: 0) } == [960_000])
  }

  static let badHeads: [(name: String, fields: [(String, String)])] = [
    ("no path", [(":method", "GET"), (":scheme", "http")]),
    ("no method", [(":path", "/"), (":scheme", "http")]),
    (
      "pseudo field after a field",
      [(":method", "GET"), ("a", "b"), (":path", "/"), (":scheme", "http")]
    ),
    (
      "unknown pseudo field",
      [(":method", "GET"), (":path", "/"), (":scheme", "http"), (":x", "y")]
    ),
    ("upper case", [(":method", "GET"), (":path", "/"), (":scheme", "http"), ("A", "b")]),
    (
      "connection field",
      [(":method", "GET"), (":path", "/"), (":scheme", "http"), ("connection", "close")]
    ),
    (
      "te other than trailers",
      [(":method", "GET"), (":path", "/"), (":scheme", "http"), ("te", "gzip")]
    ),
    ("path twice", [(":method", "GET"), (":path", "/"), (":path", "/"), (":scheme", "http")]),
  ]

  @Test(arguments: HTTP2SessionTests.badHeads.indices)
  func malformedHead(_ index: Int) throws {
    let session = HTTP2Session()
    try feed(
      session, ClientBytes.start + ClientBytes.headers(1, Self.badHeads[index].fields, end: true))
    let resets = try sent(session).filter { $0.type == TestFrame.reset }
    #expect(resets.map { $0.number(at: 0) } == [1], "\(Self.badHeads[index].name)")
    #expect(texts(session) == ["closed 1 1"])
  }

  @Test func bodyLongerThanItsLength() throws {
    let session = HTTP2Session()
    let input =
      ClientBytes.start + ClientBytes.request(1, "POST", "/", [("content-length", "1")], end: false)
      + ClientBytes.data(1, [1, 2], end: true)
    try feed(session, input)
    #expect(try sent(session).contains { $0.type == TestFrame.reset })
  }

  @Test func headOverTheLimit() throws {
    let session = HTTP2Session()
    let fields = (0..<9).map { ("f\($0)", String(repeating: "x", count: 8_000)) }
    let input =
      ClientBytes.start + Self.inPieces(ClientBytes.request(1, "GET", "/", fields, end: true))
    for start in stride(from: 0, to: input.count, by: HTTP2Session.receiveLimit) {
      try feed(session, Array(input[start..<min(input.count, start + HTTP2Session.receiveLimit)]))
    }
    #expect(texts(session) == ["too large 1", "end 1"])
  }

  /// A HEADERS frame that is too long for one, as HEADERS and CONTINUATION.
  private static func inPieces(_ frame: [UInt8]) -> [UInt8] {
    let block = Array(frame[9...])
    var result: [UInt8] = []
    for start in stride(from: 0, to: block.count, by: 16_384) {
      let end = min(block.count, start + 16_384)
      let isLast = end == block.count
      let flags: UInt8 = (start == 0 ? 1 : 0) | (isLast ? 4 : 0)
      result += ClientBytes.frame(
        start == 0 ? TestFrame.headers : 9, flags, 1, Array(block[start..<end]))
    }
    return result
  }

  @Test func pingsAreAnsweredHoweverMany() throws {
    let session = HTTP2Session()
    try feed(session, ClientBytes.start)
    let ping = ClientBytes.ping([1, 2, 3, 4, 5, 6, 7, 8])
    let count = HTTP2Session.receiveLimit / ping.count
    let pings = [[UInt8]](repeating: ping, count: count).flatMap { $0 }
    for _ in 0..<4 {
      try feed(session, pings)
      let answers = try sent(session).filter { $0.type == TestFrame.ping }
      #expect(answers.count == count)
      #expect(answers.allSatisfy { $0.flags == 1 && $0.payload == [1, 2, 3, 4, 5, 6, 7, 8] })
    }
  }

  @Test func pong() throws {
    let session = HTTP2Session()
    try feed(session, ClientBytes.start)
    session.ping(0x0102_0304_0506_0708)
    let pings = try sent(session).filter { $0.type == TestFrame.ping }
    #expect(pings.map(\.payload) == [[1, 2, 3, 4, 5, 6, 7, 8]])
    try feed(session, ClientBytes.ping([1, 2, 3, 4, 5, 6, 7, 8], isAnswer: true))
    #expect(texts(session) == ["pong \(0x0102_0304_0506_0708)"])
  }

  @Test func badPreface() {
    let session = HTTP2Session()
    let input = Array("GET / HTTP/1.1\r\n\r\n".utf8)
    var failure: HTTP2SessionError?
    do {
      try session.receive(input.span)
    } catch {
      failure = error
    }
    #expect(failure == .badPreface)
  }

  @Test func continuationsWithoutEndEndTheConnection() {
    let session = HTTP2Session()
    let fields: [UInt8] = (0..<1_000).flatMap { _ in [0, 1, 0x61, 1, 0x62] as [UInt8] }
    let start = ClientBytes.start + ClientBytes.frame(TestFrame.headers, 0, 1, [0x82])
    var failure: HTTP2SessionError?
    do {
      try session.receive(start.span)
      for _ in 0..<100 { try session.receive(ClientBytes.frame(9, 0, 1, fields).span) }
    } catch {
      failure = error
    }
    #expect(failure == .refused)
  }

  @Test func resetsWithoutEndEndTheConnection() throws {
    var limits = HTTP2Limits()
    limits.resetBurst = 10
    limits.resetRate = 1
    let session = HTTP2Session(limits: limits)
    try feed(session, ClientBytes.start)
    for index in 0..<50 {
      let stream = 2 * index + 1
      try feed(
        session, (ClientBytes.request(stream, "GET", "/", end: true) + ClientBytes.reset(stream)))
    }
    #expect(try sent(session).contains { $0.type == TestFrame.goAway })
    let isDone = session.isDone
    #expect(isDone)
  }

  @Test func drain() throws {
    let session = HTTP2Session()
    try feed(session, Self.call)
    _ = try sent(session)
    session.announceEnd()
    #expect(try sent(session).map { $0.number(at: 0) } == [Int(Int32.max)])
    try feed(session, ClientBytes.request(5, "GET", "/late", end: true))
    session.refuseNewStreams()
    #expect(try sent(session).map { $0.number(at: 0) } == [5])
    _ = session.takeEvents()
    try feed(session, ClientBytes.request(7, "GET", "/too-late", end: true))
    #expect(texts(session) == [])
    for stream: Int32 in [1, 3, 5] {
      let isDoneEarly = session.isDone
      #expect(!isDoneEarly)
      session.respond(to: stream, status: 200, fields: HTTPFields(), outbox: nil)
      _ = try sent(session)
    }
    let isDone = session.isDone
    #expect(isDone)
  }

  @Test func callsForStreamsThatAreOver() throws {
    let session = HTTP2Session()
    try feed(session, Self.call + ClientBytes.reset(1))
    _ = try sent(session)
    session.respond(to: 1, status: 200, fields: HTTPFields(), outbox: HTTP2Outbox())
    session.resume(1)
    session.consume(1, 10)
    session.reset(1, .internalError)
    session.respond(to: 99, status: 200, fields: HTTPFields(), outbox: HTTP2Outbox([1]))
    _ = try sent(session)
    let isDone = session.isDone
    #expect(!isDone)
  }
}
