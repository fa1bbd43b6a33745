import Foundation
import HTTPServer
import HibachiTesting
import Synchronization
import Testing

@testable import WebChannel

/// Sends each message back, after the value of the field `a`, and ends with the message `end`.
@Sendable private func echo(_ session: ChannelSession) async {
  while let message = await session.next() {
    if message == Array("end".utf8) { return session.finish(Array(#""over""#.utf8)) }
    let text = "\"\(session.fields.first("a") ?? "")\(String(decoding: message, as: UTF8.self))\""
    guard await session.send([Array(text.utf8)]) else { return }
  }
  session.finish()
}

@Suite("Requests of channels")
struct WebChannelHandlerTests {
  private let time = ManualTime()

  private func withHandler(
    _ limits: ChannelLimits = ChannelLimits(),
    service: @escaping ChannelService = echo,
    _ body: (WebChannelHandler) async throws -> Void
  ) async throws {
    let handler = WebChannelHandler(
      ["s/Echo": service, "s/Other": service], limits: limits, time: time.channelTime,
      random: SeededGenerator(seed: 1))
    try await withThrowingTaskGroup { tasks in
      tasks.addTask { await handler.run() }
      try await body(handler)
      tasks.cancelAll()
    }
  }

  private func exchange(
    _ method: String, _ target: String, _ body: String = "", fields: HTTPFields = HTTPFields()
  ) -> (HTTPExchange, TestResponse) {
    let response = TestResponse()
    let head = HTTPRequestHead(
      method: method, target: target, authority: "h", version: .http1_1, fields: fields)
    return (HTTPExchange(request: head, body: TestBody(body), response: response), response)
  }

  @discardableResult
  private func ask(
    _ handler: WebChannelHandler, _ method: String, _ query: String, _ body: String = "",
    path: String = "/s/Echo/channel"
  ) async -> TestResponse {
    let (exchange, response) = exchange(method, path + "?VER=8&" + query, body)
    await handler.handle(exchange)
    return response
  }

  /// Opens a session and gives its id.
  private func connect(_ handler: WebChannelHandler, _ body: String = "count=0") async throws
    -> String
  {
    let response = await ask(handler, "POST", "RID=1&CVER=22", body)
    let piece = try #require(response.pieces.first)
    let match = try #require(
      piece.wholeMatch(of: /\[\[0,\["c","([A-Za-z0-9_-]{22})","",8,12,30000\]\]\]/))
    #expect(response.pieces.count == 1 && response.isFinished)
    #expect(response.head?.fields.first("x-http-session-id") != nil)
    return String(match.1)
  }

  /// Opens a back channel, beside the test.
  private func listen(
    _ handler: WebChannelHandler, _ query: String,
    in tasks: inout TaskGroup<Void>
  ) -> TestResponse {
    let (exchange, response) = exchange("GET", "/s/Echo/channel?VER=8&RID=rpc&" + query)
    tasks.addTask { await handler.handle(exchange) }
    return response
  }

  @Test func messagesOfTheHandshakeAreAnswered() async throws {
    try await withHandler { handler in
      let id = try await connect(
        handler, "headers=a%3Ax%0D%0A&count=2&ofs=0&req0___data__=1&req1___data__=2")
      await withTaskGroup { tasks in
        let back = listen(handler, "SID=\(id)&AID=0&CI=0", in: &tasks)
        await back.wait { $0.text.contains("x2") }
        #expect(back.text.contains(#"["x1"]"#))
        #expect(back.head?.status == 200)
        #expect(back.head?.fields.first("x-content-type-options") == "nosniff")
        let reply = await ask(
          handler, "POST", "SID=\(id)&RID=2&AID=3", "count=1&ofs=2&req0___data__=3")
        #expect(reply.text.wholeMatch(of: /\d+\n\[1,\d,\d+\]/) != nil)
        await back.wait { $0.text.contains("x3") }
        // Twice, as after an answer that got lost.
        await ask(
          handler, "POST", "SID=\(id)&RID=2&AID=3&t=2",
          "count=2&ofs=2&req0___data__=3&req1___data__=4")
        await back.wait { $0.text.contains("x4") }
        #expect(back.text.components(separatedBy: "x3").count == 2)
        await ask(handler, "POST", "SID=\(id)&RID=3&TYPE=terminate")
        await back.wait { $0.isFinished }
      }
      #expect(await ask(handler, "GET", "SID=\(id)&AID=0").head?.status == 400)
      #expect(handler.sessionCount == 0)
    }
  }

  @Test("Fields of older clients come with the address, and others with the request")
  func olderFields() async throws {
    try await withHandler { handler in
      let (exchange, response) = exchange(
        "POST", "/s/Echo/channel?VER=8&RID=1&%24httpHeaders=A%3Aq%0D%0A",
        "count=1&ofs=0&req0___data__=1", fields: HTTPFields([("a", "r")]))
      await handler.handle(exchange)
      let id = try #require(response.head?.fields.first("x-http-session-id"))
      let poll = await ask(handler, "GET", "SID=\(id)&AID=0&CI=1")
      #expect(poll.pieces == [#"[[1,["q1"]]]"#])
    }
  }

  @Test(
    "What is refused",
    arguments: [
      ("GET", "/s/Echo/channel?SID=nope&RID=rpc", 400),
      ("POST", "/s/Echo/channel?SID=nope&AID=0", 400),
      ("GET", "/s/Echo/channel?RID=rpc", 400), ("POST", "/s/Echo/channel?VER=9", 400),
      ("PUT", "/s/Echo/channel?SID=nope", 405), ("HEAD", "/s/Echo/channel?SID=nope", 405),
      ("POST", "/s/Echo/channel/x", 404), ("POST", "/s/Nothing/channel", 404),
      ("POST", "/s/Echo", 404), ("GET", "/%ff/channel", 400), ("POST", "/s/Echo/channel?%", 400),
      ("POST", "/s/Echo/channel?SID=nope&TYPE=terminate", 200),
      ("GET", "/s/Echo/channel?SID=nope&TYPE=terminate", 200),
    ])
  func refused(_ method: String, _ target: String, _ status: Int) async throws {
    try await withHandler { handler in
      let (exchange, response) = exchange(method, target)
      await handler.handle(exchange)
      #expect(response.head?.status == status)
      if status == 400, target.contains("SID=nope") || target.contains("RID=rpc") {
        #expect(response.text == "Error: Unknown SID")
      }
    }
  }

  @Test func aSessionOfAnotherServiceIsUnknown() async throws {
    try await withHandler { handler in
      let id = try await connect(handler)
      let answer = await ask(handler, "GET", "SID=\(id)&AID=0&CI=1", path: "/s/Other/channel")
      #expect(answer.head?.status == 400)
    }
  }

  @Test(
    "Broken and large bodies",
    arguments: [("count=x", 400), (String(repeating: "x", count: 101), 413)])
  func bodies(_ body: String, _ status: Int) async throws {
    var limits = ChannelLimits()
    limits.bodyBytes = 100
    try await withHandler(limits) { handler in
      #expect(await ask(handler, "POST", "RID=1", body).head?.status == status)
      let id = try await connect(handler)
      #expect(await ask(handler, "POST", "SID=\(id)&RID=2&AID=0", body).head?.status == status)
    }
  }

  @Test func tooManySessions() async throws {
    var limits = ChannelLimits()
    limits.sessions = 2
    try await withHandler(limits) { handler in
      _ = try await connect(handler)
      let id = try await connect(handler)
      #expect(await ask(handler, "POST", "RID=1", "count=0").head?.status == 503)
      await ask(handler, "POST", "SID=\(id)&TYPE=terminate")
      _ = try await connect(handler)
    }
  }

  @Test("A poll that comes too early is held, a newer one takes its place")
  func polls() async throws {
    try await withHandler { handler in
      let id = try await connect(handler)
      await withTaskGroup { tasks in
        let first = listen(handler, "SID=\(id)&AID=0&CI=1", in: &tasks)
        let second = listen(handler, "SID=\(id)&AID=0&CI=1", in: &tasks)
        // One of them is the newer, whichever task began first.
        await ask(handler, "POST", "SID=\(id)&RID=2&AID=0", "count=1&ofs=0&req0___data__=1")
        await first.wait { $0.isFinished || !second.text.isEmpty }
        await second.wait { $0.isFinished || !first.text.isEmpty }
        #expect([first.text, second.text].contains { $0.contains(#"["1"]"#) })
      }
    }
  }

  @Test("The last message of a service ends the response, and the session once the client has it")
  func serviceEnds() async throws {
    try await withHandler { handler in
      let id = try await connect(handler, "count=1&ofs=0&req0___data__=end")
      let poll = await ask(handler, "GET", "SID=\(id)&AID=0&CI=1")
      #expect(poll.pieces == [#"[[1,["over"]]]"#])
      let again = await ask(handler, "GET", "SID=\(id)&AID=0&CI=0")
      #expect(again.pieces == poll.pieces && again.isFinished)
      let reply = await ask(handler, "POST", "SID=\(id)&AID=1", "count=1&ofs=1&req0___data__=x")
      #expect(reply.pieces == ["[0,1,0]"])
      #expect(handler.sessionCount == 0)
      #expect(await ask(handler, "GET", "SID=\(id)&AID=1&CI=0").head?.status == 400)
    }
  }

  @Test func silenceIsFilledAndAbsenceEndsSessions() async throws {
    try await withHandler { handler in
      let id = try await connect(handler)
      await withTaskGroup { tasks in
        let back = listen(handler, "SID=\(id)&AID=0&CI=0", in: &tasks)
        await back.wait { $0.text.contains("[1,") }
        time.advance(.seconds(25))
        await back.wait { $0.text.contains("[2,[\"noop\"]]") }
        let poll = listen(handler, "SID=\(id)&AID=2&CI=1&TO=9000", in: &tasks)
        await back.wait { $0.isFinished }
        time.advance(.seconds(9))
        await poll.wait { $0.isFinished }
        #expect(poll.pieces == [#"[[3,["noop"]]]"#])
      }
      time.advance(.seconds(121))
      while handler.sessionCount > 0 { await Task.yield() }
      #expect(await ask(handler, "GET", "SID=\(id)&AID=2").head?.status == 400)
    }
  }

  @Test("A client that does not read holds its service back, and gets all of it later")
  func stalled() async throws {
    var limits = ChannelLimits()
    limits.keptBytes = 10_000
    limits.responseBytes = 5_000
    limits.pieceBytes = 1_000
    let total = 1_000
    let sent = Counter()
    try await withHandler(
      limits,
      service: { session in
        for number in 0..<total {
          guard
            await session.send([Array("\"\(number)-\(String(repeating: "x", count: 50))\"".utf8)])
          else { return }
          sent.add()
        }
        session.finish()
      }
    ) { handler in
      let id = try await connect(handler)
      var received = 0
      var newest = 0
      await withTaskGroup { tasks in
        let (exchange, response) = exchange("GET", "/s/Echo/channel?SID=\(id)&AID=0&CI=0")
        response.stall()
        tasks.addTask { await handler.handle(exchange) }
        await response.wait { !$0.text.isEmpty }
        for _ in 0..<1_000 { await Task.yield() }
        #expect(sent.value < 200)
        response.resume()
        await response.wait { $0.isFinished }
        (received, newest) = count(response, received, newest)
      }
      while received < total {
        let response = await ask(handler, "GET", "SID=\(id)&AID=\(newest)&CI=0")
        (received, newest) = count(response, received, newest)
      }
      #expect(received == total)
    }
  }

  private func count(_ response: TestResponse, _ received: Int, _ newest: Int) -> (Int, Int) {
    var (received, newest) = (received, newest)
    for match in response.text.matches(of: /\[(\d+),\["(\w+)/) {
      guard let id = Int(match.1), id > newest else { continue }
      newest = id
      if match.2 == "\(received)" { received += 1 }
    }
    return (received, newest)
  }

  @Test("POSTs wait while their service takes nothing")
  func fullForwardChannel() async throws {
    var limits = ChannelLimits()
    limits.waitingMessages = 2
    let gate = TestResponse()
    try await withHandler(
      limits,
      service: { session in
        await gate.wait { $0.isFinished }
        await echo(session)
      }
    ) { handler in
      let id = try await connect(handler, "count=2&ofs=0&req0___data__=1&req1___data__=2")
      await withTaskGroup { tasks in
        let (exchange, reply) = exchange(
          "POST", "/s/Echo/channel?SID=\(id)&AID=0", "count=1&ofs=2&req0___data__=3")
        tasks.addTask { await handler.handle(exchange) }
        for _ in 0..<100 { await Task.yield() }
        #expect(!reply.isFinished)
        try? await gate.finish(HTTPFields())
        await reply.wait { $0.isFinished }
        #expect(reply.head?.status == 200)
      }
    }
  }

  @Test("Messages that can never be served end the session with an error")
  func gap() async throws {
    var limits = ChannelLimits()
    limits.parkedMessages = 2
    try await withHandler(limits) { handler in
      let id = try await connect(handler)
      await ask(
        handler, "POST", "SID=\(id)&AID=0",
        "count=3&ofs=5&req0___data__=1&req1___data__=2&req2___data__=3")
      let poll = await ask(handler, "GET", "SID=\(id)&AID=0&CI=1")
      #expect(poll.pieces == [#"[[1,["stop"]]]"#])
    }
  }

  @Test func theEndOfTheServerEndsResponses() async throws {
    try await withHandler { handler in
      let id = try await connect(handler)
      await withTaskGroup { tasks in
        let back = listen(handler, "SID=\(id)&AID=0&CI=0", in: &tasks)
        await back.wait { !$0.text.isEmpty }
        handler.close()
        await back.wait { $0.isFinished }
        #expect(back.text.hasSuffix(#"[[2,["stop"]]]"#))
      }
      #expect(await ask(handler, "POST", "RID=1", "count=0").head?.status == 503)
    }
  }

  @Test func theTestOfOlderClients() async throws {
    try await withHandler { handler in
      let path = "/s/Echo/channel/test"
      #expect(await ask(handler, "GET", "MODE=init", path: path).text == "2\n[]")
      #expect(await ask(handler, "GET", "TYPE=xmlhttp", path: path).text == "111112")
    }
  }
}

private final class Counter: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }

  func add() { count.add(1, ordering: .relaxed) }
}
