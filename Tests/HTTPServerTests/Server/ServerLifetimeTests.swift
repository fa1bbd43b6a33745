import HTTPServer
import NetIO
import Synchronization
import Testing

@Suite struct ServerLifetimeTests {
  /// Something that happens once and that others wait for.
  final class Event: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
      (stream, continuation) = AsyncStream.makeStream()
    }

    func happen() { continuation.finish() }
    func wait() async { for await _ in stream {} }
  }

  @Test func aTakenPortIsAnError() async throws {
    try await withServer(handler: { _ in }) { _, port in
      let group = try EventLoopGroup(count: 1)
      let other = Server(group: group, handler: ClosureHandler { _ in })
      let error = await #expect(throws: NetIOError.self) {
        try await other.listen(host: "127.0.0.1", port: port)
      }
      #expect(error?.code == .addressInUse)
      await group.shutdown()
    }
  }

  @Test func localhostIsBothFamiliesAtOnePort() async throws {
    let group = try EventLoopGroup(count: 2)
    let server = Server(group: group, handler: ClosureHandler { _ in })
    let addresses = try await server.listen(host: "localhost", port: 0)
    #expect(addresses.first?.host == "127.0.0.1")
    #expect(Set(addresses.map(\.port)).count == 1)
    #expect(addresses == server.addresses)
    server.beginGracefulShutdown()
    await server.run()
    #expect(server.addresses.isEmpty)
    await group.shutdown()
  }

  @Test func connectionsAreSpreadOverTheLoops() async throws {
    try await withServer(
      loops: 2,
      handler: { exchange in
        let loop = EventLoop.current.map { "\(ObjectIdentifier($0))" } ?? "none"
        try await exchange.response.ok(loop)
      }
    ) { _, port in
      var loops: Set<String> = []
      let clients = try (0..<4).map { _ in try TestClient(port: port) }
      for client in clients {
        try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        loops.insert(try await client.answer().body)
      }
      #expect(loops.count == 2)
      #expect(!loops.contains("none"))
      for client in clients { client.close() }
    }
  }

  @Test func requestsInFlightAreFinishedAndIdleConnectionsClosed() async throws {
    let (started, released) = (Event(), Event())
    try await withServer(handler: { exchange in
      if exchange.request.target == "/slow" {
        started.happen()
        await released.wait()
      }
      try await exchange.response.ok("done")
    }) { server, port in
      let idle = try TestClient(port: port)
      try await idle.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(try await idle.answer().status == 200)
      let busy = try TestClient(port: port)
      try await busy.send("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n")
      await started.wait()
      server.beginGracefulShutdown()
      #expect(try await idle.receiveToEnd().isEmpty)
      #expect(throws: TestClient.Failure.self) { try TestClient(port: port) }
      released.happen()
      let answer = try await busy.answer()
      #expect(answer.body == "done")
      #expect(answer.fields["connection"] == "close")
      idle.close()
      busy.close()
    }
  }

  @Test func afterTheGracePeriodHandlersAreCancelled() async throws {
    let (started, cancelled) = (Event(), Event())
    try await withServer(
      grace: .milliseconds(20),
      handler: { _ in
        started.happen()
        await withTaskCancellationHandler {
          await Event().wait()
        } onCancel: {
          cancelled.happen()
        }
      }
    ) { server, port in
      let client = try TestClient(port: port)
      try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      await started.wait()
      server.beginGracefulShutdown()
      await cancelled.wait()
      #expect((try? await client.receiveToEnd())?.isEmpty != false)
      client.close()
    }
  }

  @Test func cancellingRunEndsEverything() async throws {
    let group = try EventLoopGroup(count: 1)
    let started = Event()
    let server = Server(
      group: group,
      handler: ClosureHandler { _ in
        started.happen()
        await Event().wait()
      })
    let port = try await server.listen(host: "127.0.0.1", port: 0)[0].port
    let running = Task { await server.run() }
    let client = try TestClient(port: port)
    try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
    await started.wait()
    running.cancel()
    await running.value
    #expect((try? await client.receiveToEnd())?.isEmpty != false)
    client.close()
    await group.shutdown()
  }

  @Test("a client that goes away cancels the handler", arguments: [true, false])
  func clientGone(resets: Bool) async throws {
    let (started, cancelled) = (Event(), Event())
    try await withServer(handler: { exchange in
      started.happen()
      await withTaskCancellationHandler {
        await Event().wait()
      } onCancel: {
        cancelled.happen()
      }
    }) { _, port in
      let client = try TestClient(port: port)
      try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      await started.wait()
      if resets { client.reset() } else { client.close() }
      await cancelled.wait()
    }
  }

  @Test func aClientThatGoesAwayEndsTheBody() async throws {
    let (started, ended) = (Event(), Event())
    let code = Mutex<HTTPStreamError.Code?>(nil)
    try await withServer(handler: { exchange in
      started.happen()
      do {
        while try await exchange.body.next() != nil {}
      } catch let error as HTTPStreamError {
        code.withLock { $0 = error.code }
      }
      ended.happen()
    }) { _, port in
      let client = try TestClient(port: port)
      try await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nabc")
      await started.wait()
      client.close()
      await ended.wait()
      #expect(code.withLock { $0 } == .disconnected)
    }
  }

  @Test("silence ends a connection", arguments: [("", ""), ("GET / HT", "408")])
  func silence(_ sent: String, _ status: String) async throws {
    var limits = HTTPLimits()
    limits.headerTime = .milliseconds(1)
    try await withServer(limits: limits, handler: { _ in }) { _, port in
      let client = try TestClient(port: port)
      try await client.send(sent)
      let text = String(decoding: try await client.receiveToEnd(), as: UTF8.self)
      #expect(text.split(separator: " ").dropFirst().first ?? "" == status)
      client.close()
    }
  }

  @Test func anIdleConnectionIsClosed() async throws {
    var limits = HTTPLimits()
    limits.idleTime = .milliseconds(1)
    try await withServer(limits: limits, handler: { try await $0.response.ok("a") }) { _, port in
      let client = try TestClient(port: port)
      try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(try await client.answer().body == "a")
      #expect(try await client.receiveToEnd().isEmpty)
      client.close()
    }
  }

  @Test func connectionsBeyondTheLimitAreClosed() async throws {
    var limits = HTTPLimits()
    limits.connections = 1
    try await withServer(limits: limits, handler: { try await $0.response.ok("a") }) { _, port in
      let first = try TestClient(port: port)
      try await first.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(try await first.answer().body == "a")
      let second = try TestClient(port: port)
      #expect((try? await second.receiveToEnd())?.isEmpty != false)
      second.close()
      first.close()
    }
  }

  @Test func aHandlerThatReadsNothingHoldsThePeerBack() async throws {
    let released = Event()
    try await withServer(handler: { exchange in
      await released.wait()
      var count = 0
      while let piece = try await exchange.body.next() { count += piece.count }
      try await exchange.response.ok("\(count)")
    }) { _, port in
      let total = 16 << 20
      let client = try TestClient(port: port, hasSmallBuffers: true)
      try await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \(total)\r\n\r\n")
      let piece = [UInt8](repeating: 1, count: 64 << 10)
      let taken = try await client.flood(piece, limit: total)
      #expect(taken < total / 2)
      released.happen()
      var left = total - taken
      while left > 0 {
        try await client.send(Array(piece.prefix(left)))
        left -= min(left, piece.count)
      }
      #expect(try await client.answer().body == "\(total)")
      client.close()
    }
  }

  @Test func aPeerThatReadsNothingHoldsTheHandlerBack() async throws {
    let written = Atomic<Int>(0)
    let total = 16 << 20
    try await withServer(handler: { exchange in
      try await exchange.response.send(HTTPResponseHead(status: 200))
      let piece = [UInt8](repeating: 1, count: 64 << 10)
      for _ in 0..<(total / piece.count) {
        try await exchange.response.write(piece)
        written.add(piece.count, ordering: .relaxed)
      }
      try await exchange.response.finish(HTTPFields())
    }) { _, port in
      let client = try TestClient(port: port, hasSmallBuffers: true)
      try await client.send("GET / HTTP/1.0\r\n\r\n")
      var received = try await client.receive().count
      // The kernel's buffers are far smaller than what is left, however far the handler is by now.
      #expect(written.load(ordering: .relaxed) < total / 2)
      while case let count = try await client.receive().count, count > 0 { received += count }
      #expect(received > total)
      client.close()
    }
  }
}
