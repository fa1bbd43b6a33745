import HTTPServer
import NetIO
import Synchronization
import Testing

@Suite struct HTTP1ServerTests {
  /// Answers with the method, the target and the body.
  @Sendable static func echo(_ exchange: HTTPExchange) async throws {
    let body = try await exchange.body.collect(upTo: 1 << 20)
    let text = String(decoding: body, as: UTF8.self)
    try await exchange.response.ok("\(exchange.request.method) \(exchange.request.target) \(text)")
  }

  @Test func keepsTheConnection() async throws {
    try await withServer(handler: Self.echo) { _, port in
      let client = try TestClient(port: port)
      for index in 0..<3 {
        try await client.send("GET /\(index) HTTP/1.1\r\nHost: h\r\n\r\n")
        let answer = try await client.answer()
        #expect(answer.status == 200)
        #expect(answer.body == "GET /\(index) ")
        #expect(answer.fields["date"]?.hasSuffix(" GMT") == true)
        #expect(answer.fields["connection"] == nil)
      }
      client.close()
    }
  }

  @Test("pipelined requests are answered in order, handlers that wait among them")
  func pipelines() async throws {
    try await withServer(handler: { exchange in
      if exchange.request.target.hasSuffix("0") { await Task.yield() }
      try await Self.echo(exchange)
    }) { _, port in
      let client = try TestClient(port: port)
      let requests = (0..<500).map {
        "POST /\($0) HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nab"
      }
      try await client.send(requests.joined())
      for index in 0..<500 {
        #expect(try await client.answer().body == "POST /\(index) ab")
      }
      client.close()
    }
  }

  @Test("a body that fills the buffer to its last byte ends, however late it is read")
  func endsAtAFullBuffer() async throws {
    try await withServer(handler: { exchange in
      for _ in 0..<200 { await Task.yield() }
      try await Self.echo(exchange)
    }) { _, port in
      let client = try TestClient(port: port)
      let text = String(repeating: "x", count: 64 << 10)
      for _ in 0..<20 {
        try await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 65536\r\n\r\n")
        try await client.send(text)
        #expect(try await client.answer().body == "POST / \(text)")
      }
      client.close()
    }
  }

  @Test func takesChunksAndGivesChunks() async throws {
    try await withServer(handler: { exchange in
      try await exchange.response.send(HTTPResponseHead(status: 201))
      while let piece = try await exchange.body.next() { try await exchange.response.write(piece) }
      try await exchange.response.finish(HTTPFields([("x-end", "yes\r\nx-evil: 1")]))
    }) { _, port in
      let client = try TestClient(port: port)
      try await client.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
      try await client.send("3\r\nabc\r\n")
      try await client.send("2;x\r\nde\r\n0\r\n\r\n")
      let answer = try await client.answer()
      #expect(answer.status == 201)
      #expect(answer.body == "abcde")
      #expect(answer.trailers == "x-end: yes  x-evil: 1\n")
      client.close()
    }
  }

  @Test("a peer that ends within a body that nobody reads does not hold its connection")
  func endWithinAnUnreadBody() async throws {
    try await withServer(handler: { try await $0.response.ok("no") }) { _, port in
      let client = try TestClient(port: port)
      try await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nabc")
      #expect(try await client.answer().body == "no")
      client.closeWriting()
      #expect(try await client.receiveToEnd().isEmpty)
      client.close()
    }
  }

  @Test func asksForAnExpectedBodyOnlyWhenItIsRead() async throws {
    try await withServer(handler: { exchange in
      if exchange.request.target == "/read" { return try await Self.echo(exchange) }
      try await exchange.response.ok("no")
    }) { _, port in
      let expecting = "HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n"
      let reader = try TestClient(port: port)
      try await reader.send("PUT /read " + expecting)
      #expect(try await reader.answer().status == 100)
      try await reader.send("abc")
      let answer = try await reader.answer()
      #expect(answer.body == "PUT /read abc")
      #expect(answer.fields["connection"] == nil)
      let refused = try TestClient(port: port)
      try await refused.send("PUT /refuse " + expecting)
      #expect(try await refused.answer().fields["connection"] == "close")
      #expect(try await refused.receiveToEnd().isEmpty)
      reader.close()
      refused.close()
    }
  }

  @Test func headHasTheSameHeadAndNoBody() async throws {
    try await withServer(handler: { exchange in
      if exchange.request.target == "/whole" { return try await exchange.response.ok("abc") }
      try await exchange.response.send(HTTPResponseHead(status: 200))
      try await exchange.response.write([1, 2])
      try await exchange.response.finish(HTTPFields())
    }) { _, port in
      let client = try TestClient(port: port)
      try await client.send(
        "HEAD /whole HTTP/1.1\r\nHost: h\r\n\r\nHEAD /pieces HTTP/1.1\r\nHost: h\r\n\r\n"
          + "GET /whole HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(try await client.answer(toHead: true).fields["content-length"] == "3")
      #expect(try await client.answer(toHead: true).fields["transfer-encoding"] == "chunked")
      #expect(try await client.answer().body == "abc")
      client.close()
    }
  }

  @Test func http10EndsWithTheConnection() async throws {
    try await withServer(handler: { exchange in
      try await exchange.response.send(HTTPResponseHead(status: 200))
      try await exchange.response.write(Array("abc".utf8))
      try await exchange.response.finish(HTTPFields())
    }) { _, port in
      let client = try TestClient(port: port)
      try await client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
      let text = String(decoding: try await client.receiveToEnd(), as: UTF8.self)
      #expect(text.contains("connection: close\r\n"))
      #expect(text.hasSuffix("\r\n\r\nabc"))
      client.close()
    }
  }

  @Test func aPromisedLengthIsKeptOrTheConnectionBreaks() async throws {
    try await withServer(handler: { exchange in
      let head = HTTPResponseHead(status: 200, fields: HTTPFields([("content-length", "4")]))
      try await exchange.response.send(head)
      try await exchange.response.write(Array("ab".utf8))
      if exchange.request.target == "/good" { try await exchange.response.write(Array("cd".utf8)) }
      try await exchange.response.finish(HTTPFields())
    }) { _, port in
      let client = try TestClient(port: port)
      try await client.send("GET /good HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(try await client.answer().body == "abcd")
      try await client.send("GET /bad HTTP/1.1\r\nHost: h\r\n\r\n")
      await #expect(throws: TestClient.Failure.self) { try await client.answer() }
      client.close()
    }
  }

  @Test func aHandlerThatDoesNotAnswerBreaksTheConnection() async throws {
    try await withServer(handler: { _ in }) { _, port in
      let client = try TestClient(port: port)
      try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      await #expect(throws: TestClient.Failure.self) { try await client.answer() }
      client.close()
    }
  }

  @Test("a body that nobody reads is skipped up to a bound")
  func unreadBodies() async throws {
    var limits = HTTPLimits()
    limits.unreadBodyBytes = 100_000
    try await withServer(
      limits: limits, handler: { try await $0.response.ok($0.request.target) }
    ) { _, port in
      let client = try TestClient(port: port)
      let body = String(repeating: "x", count: 90_000)
      try await client.send("POST /1 HTTP/1.1\r\nHost: h\r\nContent-Length: 90000\r\n\r\n" + body)
      #expect(try await client.answer().body == "/1")
      try await client.send("POST /2 HTTP/1.1\r\nHost: h\r\nContent-Length: 990000\r\n\r\n" + body)
      let answer = try await client.answer()
      #expect(answer.body == "/2")
      #expect(answer.fields["connection"] == "close")
      client.closeWriting()
      #expect(try await client.receiveToEnd().isEmpty)
      client.close()
    }
  }

  @Test(
    "a malformed request gets its answer and the end",
    arguments: [
      ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/3.0\r\n\r\n", 505),
      ("GET /\(String(repeating: "a", count: 20_000)) HTTP/1.1\r\n\r\n", 414),
      ("GET / HTTP/1.1\r\nHost: h\r\n\(String(repeating: "a: b\r\n", count: 101))\r\n", 431),
      ("GET / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
      ("PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n", 505),
    ])
  func malformed(_ request: String, _ status: Int) async throws {
    try await withServer(handler: Self.echo) { _, port in
      let client = try TestClient(port: port)
      try await client.send(request)
      let answer = try await client.answer()
      #expect(answer.status == status)
      #expect(answer.fields["connection"] == "close")
      #expect(try await client.receiveToEnd().isEmpty)
      client.close()
    }
  }

  @Test func aMalformedBodyReachesTheHandler() async throws {
    try await withServer(handler: { exchange in
      do {
        try await Self.echo(exchange)
      } catch let error as HTTPStreamError {
        try await exchange.response.ok("\(error.code)")
      }
    }) { _, port in
      let client = try TestClient(port: port)
      try await client.send(
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\naX")
      let answer = try await client.answer()
      #expect(answer.body == "malformed")
      #expect(answer.fields["connection"] == "close")
      client.close()
    }
  }

  @Test("a client that leaves an answered request unfinished is let go")
  func abandonedBody() async throws {
    try await withServer(
      grace: .seconds(600),
      handler: { exchange in try await exchange.response.ok("no") }
    ) { _, port in
      let client = try TestClient(port: port)
      try await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\na")
      #expect(try await client.answer().body == "no")
      client.closeWriting()
      #expect(try await client.receiveToEnd().isEmpty)
      client.close()
    }
  }

  @Test("a body that just fills the buffer ends", arguments: [65_535, 65_536, 65_537, 131_072])
  func fullBuffer(size: Int) async throws {
    try await withServer(handler: { exchange in
      // Lets the whole body come before the first piece is taken.
      for _ in 0..<100 { await Task.yield() }
      try await Self.echo(exchange)
    }) { _, port in
      let client = try TestClient(port: port)
      try await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \(size)\r\n\r\n")
      try await client.send([UInt8](repeating: 0x61, count: size))
      #expect(try await client.answer().body.utf8.count >= size)
      client.close()
    }
  }

  @Test("the first bytes may come one by one")
  func byteByByte() async throws {
    try await withServer(handler: Self.echo) { _, port in
      let client = try TestClient(port: port)
      for byte in "PRIORITY / HTTP/1.1\r\nHost: h\r\n\r\n".utf8 { try await client.send([byte]) }
      #expect(try await client.answer().body == "PRIORITY / ")
      client.close()
    }
  }
}
