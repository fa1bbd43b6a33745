import Compression
import HTTPServer
import Synchronization
import Testing

@testable import HTTPServer

@Suite struct ContentCodingTests {
  @Test(
    "what allows gzip",
    arguments: [
      (["gzip"], true), (["deflate, gzip;q=0.5"], true), (["br", "GZIP"], true), (["*"], true),
      (["x-gzip ; q=1.000"], true), (["gzip;q=0"], false), (["gzip;q=0.000, *"], false),
      ([], false),
      ([""], false), (["identity"], false), (["gzip;q=0.5, identity"], false), (["*;q=0"], false),
      (["gzip;q=2"], false), (["gzip;q=x"], false), (["gzip;q="], false), ([",,;q=1"], false),
      (["gzip;q=0.1234"], false), (["gzip;q=-1"], false), (["gzip; q=0.001"], true),
    ] as [([String], Bool)])
  func accepted(values: [String], isAllowed: Bool) {
    #expect(AcceptedCodings.allowGzip(values) == isAllowed)
  }

  private static let text = String(repeating: "text ", count: 300)

  /// Sends a request to a server that gives its body back, in pieces if the target says so.
  private func answer(
    _ target: String, _ fields: String, _ body: [UInt8]
  ) async throws -> (head: String, body: [UInt8]) {
    try await withServer(handler: { exchange in
      await ContentCoding(ClosureHandler(body: Self.echo)).handle(exchange)
    }) { (_, port) async throws in
      let client = try TestClient(port: port)
      let head =
        "POST \(target) HTTP/1.0\r\n\(fields)Content-Length: \(body.count)\r\n\r\n"
      try await client.send(Array(head.utf8) + body)
      let bytes = try await client.receiveToEnd()
      let end = try #require(
        bytes.indices.first { bytes[$0...].starts(with: Array("\r\n\r\n".utf8)) })
      return (String(decoding: bytes[..<end], as: UTF8.self), Array(bytes[(end + 4)...]))
    }
  }

  @Sendable private static func echo(_ exchange: HTTPExchange) async throws {
    var head = HTTPResponseHead(status: 200)
    head.fields.append("content-type", "text/plain")
    let body: [UInt8]
    do {
      body = try await exchange.body.collect(upTo: 10_000)
    } catch {
      return try await exchange.response.respond(400, text: "\(error.code)")
    }
    guard exchange.request.target == "/pieces" else {
      return try await exchange.response.respond(head, body: body)
    }
    try await exchange.response.send(head)
    for byte in body { try await exchange.response.write([byte]) }
    try await exchange.response.finish(HTTPFields())
  }

  @Test("whole and in pieces", arguments: ["/", "/pieces"])
  func compressedAnswer(target: String) async throws {
    let text = Array(Self.text.utf8)
    let plain = try await answer(target, "", text)
    #expect(plain.body == text)
    #expect(plain.head.contains("vary: accept-encoding") && !plain.head.contains("gzip"))
    let gzip = try await answer(target, "Accept-Encoding: gzip\r\n", text)
    #expect(gzip.head.contains("vary: accept-encoding"))
    #expect(gzip.head.contains("content-encoding: gzip"))
    #expect(try GzipInflater.inflate(gzip.body, upTo: 10_000) == text)
  }

  @Test func shortAnswersStayAsTheyAre() async throws {
    let short = try await answer("/", "Accept-Encoding: gzip\r\n", [65])
    #expect(short.body == [65] && !short.head.contains("encoding"))
  }

  @Test(arguments: ["gzip", "x-gzip", "GZIP"]) func compressedBody(coding: String) async throws {
    let body = GzipDeflater.deflate(Array("hello".utf8))
    let read = try await answer("/", "Content-Encoding: \(coding)\r\n", body)
    #expect(read.body == Array("hello".utf8))
  }

  @Test func refusedBodies() async throws {
    let other = try await answer("/", "Content-Encoding: br\r\n", [1])
    #expect(other.head.hasPrefix("HTTP/1.1 415") && other.head.contains("accept-encoding: gzip"))
    let bad = try await answer("/", "Content-Encoding: gzip\r\n", [1, 2, 3])
    #expect(bad.body == Array("malformed".utf8))
    let cut = GzipDeflater.deflate(Array("hello".utf8)).dropLast()
    #expect(
      try await answer("/", "Content-Encoding: gzip\r\n", Array(cut)).body
        == Array("malformed".utf8))
    let bomb = GzipDeflater.deflate([UInt8](repeating: 0, count: 1 << 20))
    #expect(
      try await answer("/", "Content-Encoding: gzip\r\n", bomb).body == Array("tooLarge".utf8))
  }
}
