import HTTPServer
import NetIO
import Synchronization
import Testing

@Suite struct HTTP2ConnectionTests {
  @Test func wholeAnswer() async throws {
    try await withServer { exchange in
      let body = try await exchange.body.collect(upTo: 100)
      try await exchange.response.respond(
        HTTPResponseHead(status: 201, fields: HTTPFields([("a", exchange.request.target)])),
        body: body + [9], trailers: HTTPFields([("b", "c")]))
    } _: { _, port in
      let client = try await HTTP2Client(port: port)
      try await client.send(
        ClientBytes.request(1, "POST", "/x", end: false) + ClientBytes.data(1, [1, 2], end: true))
      #expect(try await client.fields() == [":status: 201", "a: /x"])
      #expect(client.date?.hasSuffix(" GMT") == true)
      #expect(try await client.next()?.payload == [1, 2, 9])
      #expect(try await client.fields() == ["b: c"])
    }
  }

  @Test func echoInPieces() async throws {
    try await withServer { exchange in
      try await exchange.response.send(HTTPResponseHead(status: 200))
      while let bytes = try await exchange.body.next() { try await exchange.response.write(bytes) }
      try await exchange.response.finish(HTTPFields())
    } _: { _, port in
      let client = try await HTTP2Client(port: port)
      try await client.send(ClientBytes.request(1, "POST", "/", end: false))
      #expect(try await client.fields() == [":status: 200"])
      for byte: UInt8 in 0..<5 {
        try await client.send(ClientBytes.data(1, [byte], end: byte == 4))
        #expect(try await client.next()?.payload == [byte])
      }
      #expect(try await client.next()?.isLast == true)
    }
  }

  @Test func headHasNoBody() async throws {
    try await withServer {
      try await $0.response.ok("text")
    } _: { _, port in
      let client = try await HTTP2Client(port: port)
      try await client.send(ClientBytes.request(1, "HEAD", "/", end: true))
      let frame = try await client.next()
      #expect(frame?.type == TestFrame.headers && frame?.isLast == true)
    }
  }

  @Test func waitsFor100() async throws {
    try await withServer { exchange in
      let body = try await exchange.body.collect(upTo: 100)
      try await exchange.response.ok("\(body.count)")
    } _: { _, port in
      let client = try await HTTP2Client(port: port)
      try await client.send(
        ClientBytes.request(1, "POST", "/", [("expect", "100-continue")], end: false))
      #expect(try await client.fields() == [":status: 100"])
      try await client.send(ClientBytes.data(1, [1], end: true))
      #expect(try await client.fields() == [":status: 200", "content-length: 1"])
    }
  }

  @Test func handlerWithoutAnswer() async throws {
    try await withServer { _ in
    } _: { _, port in
      let client = try await HTTP2Client(port: port)
      try await client.send(ClientBytes.request(1, "GET", "/", end: true))
      let frame = try await client.next()
      #expect(frame?.type == TestFrame.reset && frame?.number(at: 0) == 2)
    }
  }

  /// The answer is there before the request: the rest of the request is not wanted.
  @Test func earlyAnswer() async throws {
    try await withServer {
      try await $0.response.ok("early")
    } _: { _, port in
      let client = try await HTTP2Client(port: port)
      try await client.send(ClientBytes.request(1, "POST", "/", end: false))
      #expect(try await client.fields().first == ":status: 200")
      #expect(try await client.next()?.isLast == true)
      let frame = try await client.next()
      #expect(frame?.type == TestFrame.reset && frame?.number(at: 0) == 0)
    }
  }

  @Test func tooLargeHead() async throws {
    var limits = HTTPLimits()
    limits.headerBytes = 1_000
    try await withServer(limits: limits) {
      try await $0.response.ok("")
    } _: { _, port in
      let client = try await HTTP2Client(port: port)
      let long = [("x", String(repeating: "y", count: 1_000))]
      try await client.send(ClientBytes.request(1, "GET", "/", long, end: true))
      #expect(try await client.fields() == [":status: 431"])
      try await client.send(ClientBytes.request(3, "GET", "/", end: true))
      #expect(try await client.fields().first == ":status: 200")
    }
  }

  enum Loss: CaseIterable { case reset, disconnect }

  /// Both end the handler, in the middle of a wait for the body.
  @Test(arguments: Loss.allCases) func lostPeer(_ loss: Loss) async throws {
    let outcome = AsyncStream.makeStream(of: String.self)
    try await withServer { exchange in
      try await exchange.response.send(HTTPResponseHead(status: 200))
      do {
        _ = try await exchange.body.next()
      } catch {
        outcome.continuation.yield("\(error) \(Task.isCancelled)")
      }
      outcome.continuation.finish()
    } _: { _, port in
      do {
        let client = try await HTTP2Client(port: port)
        try await client.send(ClientBytes.request(1, "POST", "/", end: false))
        #expect(try await client.fields() == [":status: 200"])
        switch loss {
        case .reset: try await client.send(ClientBytes.reset(1))
        case .disconnect: client.close()
        }
        for await text in outcome.stream {
          #expect(text == "\(HTTPStreamError(.disconnected)) true")
        }
      }
    }
  }

  /// A peer that opens no window takes 65,535 bytes; the handler is held back soon after.
  @Test func slowReader() async throws {
    let written = Atomic(0)
    let outcome = AsyncStream.makeStream(of: Bool.self)
    try await withServer { exchange in
      try await exchange.response.send(HTTPResponseHead(status: 200))
      defer { outcome.continuation.finish() }
      while true {
        try await exchange.response.write([UInt8](repeating: 0, count: 1_000))
        written.add(1_000, ordering: .relaxed)
      }
    } _: { _, port in
      let client = try await HTTP2Client(port: port)
      try await client.send(ClientBytes.request(1, "GET", "/", end: true))
      _ = try await client.fields()
      var received = 0
      while received < 65_535, let frame = try await client.next() {
        received += frame.payload.count
      }
      // The answer to a PING comes after what the loop did before: the handler has been held back.
      for _ in 0..<3 {
        try await client.send(ClientBytes.ping([0, 0, 0, 0, 0, 0, 0, 0]))
        #expect(try await client.next()?.type == TestFrame.ping)
      }
      #expect(written.load(ordering: .relaxed) < 65_535 + 64 * 1_024 + 2_000)
      try await client.send(ClientBytes.reset(1))
      for await _ in outcome.stream {}
    }
  }

  @Test func deadline() async throws {
    try await withServer { exchange in
      exchange.response.setDeadline(after: .milliseconds(5))
      do throws(HTTPStreamError) {
        _ = try await exchange.body.next()
      } catch {
        try await exchange.response.ok("\(error.code) \(Task.isCancelled)")
      }
    } _: { _, port in
      let client = try await HTTP2Client(port: port)
      try await client.send(ClientBytes.request(1, "POST", "/", end: false))
      #expect(try await client.fields().first == ":status: 200")
      #expect(try await client.next()?.payload == Array("cancelled true".utf8))
    }
  }

  /// GOAWAY that still takes streams, PING, GOAWAY with the last stream; then the streams end and the connection.
  @Test func drain() async throws {
    let gate = AsyncStream.makeStream(of: Never.self)
    try await withServer { exchange in
      if exchange.request.target == "/waits" { for await _ in gate.stream {} }
      try await exchange.response.ok("done")
    } _: { server, port in
      let client = try await HTTP2Client(port: port)
      try await client.send(ClientBytes.request(1, "GET", "/waits", end: true))
      try await client.send(ClientBytes.ping([0, 0, 0, 0, 0, 0, 0, 0]))
      #expect(try await client.next()?.type == TestFrame.ping)
      server.beginGracefulShutdown()
      let notice = try await client.next()
      #expect(notice?.type == TestFrame.goAway && notice?.number(at: 0) == Int(Int32.max))
      let ping = try #require(try await client.next())
      #expect(ping.type == TestFrame.ping && ping.flags == 0)
      try await client.send(ClientBytes.request(3, "GET", "/late", end: true))
      #expect(try await client.fields().first == ":status: 200")
      #expect(try await client.next()?.isLast == true)
      try await client.send(ClientBytes.ping(ping.payload, isAnswer: true))
      let last = try await client.next()
      #expect(last?.type == TestFrame.goAway && last?.number(at: 0) == 3)
      gate.continuation.finish()
      #expect(try await client.fields().first == ":status: 200")
      #expect(try await client.next()?.isLast == true)
      #expect(try await client.next() == nil)
    }
  }

  /// A peer that does not answer the PING is not waited for until the grace period ends.
  @Test func drainOfSilentPeer() async throws {
    try await withServer(grace: .seconds(600)) {
      try await $0.response.ok("")
    } _: { server, port in
      let client = try await HTTP2Client(port: port)
      try await client.send(ClientBytes.ping([0, 0, 0, 0, 0, 0, 0, 0]))
      #expect(try await client.next()?.type == TestFrame.ping)
      server.beginGracefulShutdown()
      #expect(try await client.next()?.type == TestFrame.goAway)
      #expect(try await client.next()?.type == TestFrame.ping)
      #expect(try await client.next()?.type == TestFrame.goAway)
      #expect(try await client.next() == nil)
    }
  }

  @Test func pingFlood() async throws {
    try await withServer {
      try await $0.response.ok("")
    } _: { _, port in
      let client = try await HTTP2Client(port: port)
      let pings = [[UInt8]](repeating: ClientBytes.ping([1, 2, 3, 4, 5, 6, 7, 8]), count: 1_000)
      for _ in 0..<20 {
        try await client.send(pings.flatMap { $0 })
        for _ in 0..<1_000 { #expect(try await client.next()?.type == TestFrame.ping) }
      }
    }
  }

  /// A silent peer is asked whether it lives: it stays for as long as it answers, and its handler learns when it does not.
  @Test(arguments: [true, false]) func silentPeer(answers: Bool) async throws {
    var limits = HTTPLimits()
    limits.idleTime = .milliseconds(1)
    limits.probeTime = .seconds(answers ? 600 : 2)
    let outcome = AsyncStream.makeStream(of: String.self)
    try await withServer(limits: limits) { exchange in
      try await exchange.response.send(HTTPResponseHead(status: 200))
      do {
        _ = try await exchange.body.next()
      } catch {
        outcome.continuation.yield("\(error)")
      }
      outcome.continuation.finish()
    } _: { _, port in
      let client = try await HTTP2Client(port: port)
      try await client.send(ClientBytes.request(1, "POST", "/", end: false))
      var pings = 0
      while pings < 3, let frame = try await client.next() {
        guard frame.type == TestFrame.ping else { continue }
        pings += 1
        guard answers else { continue }
        try await client.send(ClientBytes.ping(frame.payload, isAnswer: true))
      }
      // One may go out before the whole request is there, which counts as a sign of life.
      #expect(answers ? pings == 3 : (1...2).contains(pings))
      client.close()
      for await text in outcome.stream { #expect(text == "\(HTTPStreamError(.disconnected))") }
    }
  }

  /// A peer that opens all windows and then takes nothing from its socket is cut off, for all that it does not close.
  @Test func deafPeer() async throws {
    var limits = HTTPLimits()
    limits.idleTime = .milliseconds(100)
    let outcome = AsyncStream.makeStream(of: String.self)
    try await withServer(limits: limits) { exchange in
      defer { outcome.continuation.finish() }
      try await exchange.response.send(HTTPResponseHead(status: 200))
      let piece = [UInt8](repeating: 0, count: 100_000)
      do {
        while true { try await exchange.response.write(piece) }
      } catch {
        outcome.continuation.yield("\(error)")
      }
    } _: { _, port in
      let client = try TestClient(port: port, hasSmallBuffers: true)
      defer { client.close() }
      let window: [UInt8] = [0, 4, 0x7F, 0xFF, 0xFF, 0xFF]
      try await client.send(
        ClientBytes.start + ClientBytes.frame(TestFrame.settings, 0, 0, window)
          + ClientBytes.frame(TestFrame.windowUpdate, 0, 0, [0x7F, 0xFF, 0, 0])
          + ClientBytes.request(1, "GET", "/", end: true))
      for await text in outcome.stream { #expect(text == "\(HTTPStreamError(.disconnected))") }
    }
  }

  /// What is offered goes out in order with what is written, and is refused when there is no room, or no answer.
  @Test func offers() async throws {
    try await withServer { exchange in
      let direct = try #require(exchange.direct)
      #expect(!direct.offer([1]))
      try await exchange.response.send(HTTPResponseHead(status: 200))
      try await exchange.response.write([1])
      #expect(direct.offer([2]) && direct.offer([]))
      try await exchange.response.write([3])
      var count = 0
      while direct.offer([UInt8](repeating: 4, count: 10_000)) { count += 1 }
      #expect(7...14 ~= count)
      direct.end(HTTPFields())
      direct.end(HTTPFields())
      #expect(!direct.offer([5]))
    } _: { _, port in
      let client = try await HTTP2Client(port: port)
      try await client.send(ClientBytes.request(1, "GET", "/", end: true))
      #expect(try await client.fields() == [":status: 200"])
      #expect(try await client.next()?.payload.starts(with: [1, 2, 3, 4]) == true)
    }
  }

  enum Ending: CaseIterable { case answer, loss }

  /// An answer goes on without the task of its handler, which hears of every piece of the request and of its end.
  @Test(arguments: Ending.allCases) func detached(_ ending: Ending) async throws {
    let heard = AsyncStream.makeStream(of: String.self)
    try await withServer { exchange in
      let direct = try #require(exchange.direct)
      try await exchange.response.send(HTTPResponseHead(status: 200))
      let arrived: @Sendable () -> Void = {
        switch direct.take() {
        case .bytes(let bytes):
          heard.continuation.yield("\(bytes)")
          _ = direct.offer(bytes)
        case .end:
          heard.continuation.yield("end")
          _ = direct.start { direct.end(HTTPFields([("x-end", "1")])) }
          heard.continuation.finish()
        case .lost:
          heard.continuation.yield("lost")
          heard.continuation.finish()
        case .nothing: break
        }
      }
      direct.detach(arrived)
      arrived()
    } _: { _, port in
      let client = try await HTTP2Client(port: port)
      try await client.send(ClientBytes.request(1, "POST", "/", end: false))
      #expect(try await client.fields() == [":status: 200"])
      for byte: UInt8 in 1...3 {
        try await client.send(ClientBytes.data(1, [byte], end: false))
        #expect(try await client.next()?.payload == [byte])
      }
      switch ending {
      case .answer:
        try await client.send(ClientBytes.data(1, [], end: true))
        #expect(try await client.fields() == ["x-end: 1"])
      case .loss: client.close()
      }
      let all = await heard.stream.reduce(into: []) { $0.append($1) }
      #expect(all == ["[1]", "[2]", "[3]", ending == .answer ? "end" : "lost"])
    }
  }
}
