import Testing

@testable import HTTPServer

struct AcceptedCase: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var input: String
  var requests: [ParsedRequest]

  init(_ name: String, _ input: String, _ requests: ParsedRequest...) {
    testDescription = name
    self.input = input
    self.requests = requests
  }

  static let all = [
    AcceptedCase("get", "GET / HTTP/1.1\r\nHost: h\r\n\r\n", ParsedRequest("GET / 1.1")),
    AcceptedCase(
      "names in lower case, values trimmed",
      "GET /a?b=%20 HTTP/1.1\r\nHOST:h\r\nX-A: \t b c\t \r\nx-b:\r\n\r\n",
      ParsedRequest("GET /a?b=%20 1.1", fields: ["host=h", "x-a=b c", "x-b="])),
    AcceptedCase(
      "value in UTF-8", "GET / HTTP/1.1\r\nHost: h\r\nx: é\r\n\r\n",
      ParsedRequest("GET / 1.1", fields: ["host=h", "x=é"])),
    AcceptedCase(
      "body of known length",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 005\r\n\r\nhello",
      ParsedRequest("POST / 1.1", fields: ["host=h", "content-length=005"], body: "hello")),
    AcceptedCase(
      "pipelined, with an empty line after a body",
      "POST /1 HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\na\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n",
      ParsedRequest("POST /1 1.1", fields: ["host=h", "content-length=1"], body: "a"),
      ParsedRequest("GET /2 1.1")),
    AcceptedCase(
      "chunks with extension and trailers",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n"
        + "3;a=b\r\nabc\r\n0A;x=\"y\"\r\n0123456789\r\n000\r\nX-Sum: 1\r\n\r\n",
      ParsedRequest(
        "POST / 1.1", fields: ["host=h", "transfer-encoding=Chunked"], body: "abc0123456789")),
    AcceptedCase(
      "absolute form", "GET http://H:80/p?q HTTP/1.1\r\nHost: h:80\r\n\r\n",
      ParsedRequest("GET /p?q 1.1", authority: "H:80", fields: ["host=h:80"])),
    AcceptedCase(
      "absolute form without a path", "GET http://h?q HTTP/1.1\r\nHost: h\r\n\r\n",
      ParsedRequest("GET /?q 1.1")),
    AcceptedCase(
      "asterisk form", "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", ParsedRequest("OPTIONS * 1.1")),
    AcceptedCase(
      "empty host", "GET / HTTP/1.1\r\nHost:\r\n\r\n",
      ParsedRequest("GET / 1.1", authority: "", fields: ["host="])),
    AcceptedCase(
      "close", "GET / HTTP/1.1\r\nHost: h\r\nConnection: x , Close\r\n\r\n",
      ParsedRequest("GET / 1.1", fields: ["host=h", "connection=x , Close"], keepsAlive: false)),
    AcceptedCase(
      "HTTP/1.0", "GET / HTTP/1.0\r\n\r\n",
      ParsedRequest("GET / 1.0", authority: "", fields: [], keepsAlive: false)),
    AcceptedCase(
      "HTTP/1.0 that stays", "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
      ParsedRequest("GET / 1.0", authority: "", fields: ["connection=keep-alive"])),
    AcceptedCase(
      "upgrade is nothing to us",
      "GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
      ParsedRequest("GET / 1.1", fields: ["host=h", "connection=Upgrade", "upgrade=h2c"])),
  ]
}

struct RefusedCase: Sendable, CustomTestStringConvertible {
  var testDescription: String { "\(status) \(input.debugDescription.prefix(120))" }
  var status: Int
  var input: String

  init(_ status: Int, _ input: String) {
    self.status = status
    self.input = input
  }

  /// A request with this in place of further fields and the body.
  static func post(_ status: Int, _ rest: String) -> RefusedCase {
    RefusedCase(status, "POST / HTTP/1.1\r\nHost: h\r\n" + rest)
  }

  /// A chunked body.
  static func chunks(_ rest: String) -> RefusedCase {
    post(400, "Transfer-Encoding: chunked\r\n\r\n" + rest)
  }

  static let requestLines = [
    RefusedCase(400, "\n"), RefusedCase(400, "\r\n\r\nGET / HTTP/1.1\r\n"),
    RefusedCase(400, "GET / HTTP/1.1\nHost: h\n\n"), RefusedCase(400, "GET / HTTP/1.1\rHost: h"),
    RefusedCase(400, " GET / HTTP/1.1\r\n"), RefusedCase(400, "GET  / HTTP/1.1\r\n"),
    RefusedCase(400, "GET /  HTTP/1.1\r\n"), RefusedCase(400, "GET / HTTP/1.1 \r\n"),
    RefusedCase(400, "GET\t/\tHTTP/1.1\r\n"), RefusedCase(400, "GET /\r\n"),
    RefusedCase(400, "GET\r\n"), RefusedCase(400, "GET / http/1.1\r\n"),
    RefusedCase(400, "GET / HTTP/1.1x\r\n"), RefusedCase(400, "GET / HTTP/11\r\n"),
    RefusedCase(400, "GET / HTTP/1,1\r\n"), RefusedCase(400, "GET / HTTP/1.10\r\n"),
    RefusedCase(505, "GET / HTTP/1.2\r\n"), RefusedCase(505, "GET / HTTP/2.0\r\n"),
    RefusedCase(505, "GET / HTTP/0.9\r\n"), RefusedCase(400, "G@T / HTTP/1.1\r\n"),
    RefusedCase(400, "GÉT / HTTP/1.1\r\n"), RefusedCase(400, "GET /é HTTP/1.1\r\n"),
    RefusedCase(400, "GET /\u{7F} HTTP/1.1\r\n"), RefusedCase(400, "GET /\0 HTTP/1.1\r\n"),
    RefusedCase(400, "GET /#f HTTP/1.1\r\n"), RefusedCase(400, "GET x HTTP/1.1\r\n"),
    RefusedCase(400, "GET * HTTP/1.1\r\n"), RefusedCase(400, "GET ftp://h/ HTTP/1.1\r\n"),
    RefusedCase(400, "GET http:/// HTTP/1.1\r\n"), RefusedCase(400, "GET http://u@h/ HTTP/1.1\r\n"),
    RefusedCase(501, "CONNECT h:1 HTTP/1.1\r\n"),
    RefusedCase(400, "\u{16}\u{3}\u{1}\u{2}\0\u{1}"),
    RefusedCase(414, "GET /" + String(repeating: "a", count: 300)),
  ]

  static let fields = [
    RefusedCase(400, "GET / HTTP/1.1\r\n\r\n"), post(400, "Host: h\r\n\r\n"),
    RefusedCase(400, "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n"),
    RefusedCase(400, "GET / HTTP/1.1\r\nHost: a b\r\n\r\n"),
    RefusedCase(400, "GET / HTTP/1.1\r\nHost: a,b\r\n\r\n"),
    RefusedCase(400, "GET / HTTP/1.1\r\nHost: u@h\r\n\r\n"),
    RefusedCase(400, "GET / HTTP/1.1\r\nHost: h/x\r\n\r\n"),
    RefusedCase(400, "GET http://a/ HTTP/1.1\r\nHost: b\r\n\r\n"),
    RefusedCase(400, "GET / HTTP/1.1\r\n Host: h\r\n\r\n"), post(400, "x: a\r\n b\r\n\r\n"),
    post(400, "x: a\r\n\tb\r\n\r\n"), post(400, "x : a\r\n\r\n"), post(400, "x\t: a\r\n\r\n"),
    post(400, ": a\r\n\r\n"), post(400, "x\r\n\r\n"), post(400, "x y: a\r\n\r\n"),
    post(400, "x\0: a\r\n\r\n"), post(400, "(x): a\r\n\r\n"), post(400, "é: a\r\n\r\n"),
    post(400, "x: a\nb\r\n\r\n"), post(400, "x: a\rb\r\n\r\n"), post(400, "x: a\0b\r\n\r\n"),
    post(400, "x: a\u{1B}b\r\n\r\n"), post(400, "x: a\u{7F}b\r\n\r\n"), post(400, "x: a\n\r\n"),
    post(400, "x: a\r\r\n\r\n"), post(400, "x: a\n\n"), post(417, "Expect: the best\r\n\r\n"),
    post(431, "x: " + String(repeating: "a", count: 600)),
    post(431, String(repeating: "x: a\r\n", count: 9)),
  ]

  static let framing = [
    post(400, "Content-Length: 1\r\nContent-Length: 1\r\n\r\n"),
    post(400, "Content-Length: 1\r\nContent-Length: 2\r\n\r\n"),
    post(400, "Content-Length: 1, 1\r\n\r\n"), post(400, "Content-Length: +1\r\n\r\n"),
    post(400, "Content-Length: -1\r\n\r\n"), post(400, "Content-Length: 0x1\r\n\r\n"),
    post(400, "Content-Length: 1 1\r\n\r\n"), post(400, "Content-Length: 1.0\r\n\r\n"),
    post(400, "Content-Length:\r\n\r\n"), post(400, "Content-Length: 1234567890123456789\r\n\r\n"),
    post(400, "Content-Length: ١\r\n\r\n"), post(400, "Content-Length : 1\r\n\r\n"),
    post(400, "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"),
    post(400, "Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n"),
    post(400, "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n"),
    post(501, "Transfer-Encoding: gzip, chunked\r\n\r\n"),
    post(501, "Transfer-Encoding: chunked, gzip\r\n\r\n"),
    post(501, "Transfer-Encoding: chunked, chunked\r\n\r\n"),
    post(501, "Transfer-Encoding: identity\r\n\r\n"),
    post(501, "Transfer-Encoding: xchunked\r\n\r\n"),
    post(501, "Transfer-Encoding: \"chunked\"\r\n\r\n"),
    post(501, "Transfer-Encoding: chunked;q=1\r\n\r\n"), post(400, "Transfer-Encoding:\r\n\r\n"),
    post(400, "Transfer-Encoding: \u{B}chunked\r\n\r\n"),
    post(400, "Transfer-Encoding\u{B}: chunked\r\n\r\n"),
    post(400, "Transfer-Encoding:\r\n chunked\r\n\r\n"),
    RefusedCase(400, "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"),
  ]

  static let bodies = [
    chunks("\r\n"), chunks("x\r\n"), chunks("-1\r\n"), chunks("+1\r\n"), chunks("0x1\r\n"),
    chunks(" 1\r\n"), chunks("1 \r\n"), chunks("1 ;a\r\n"), chunks("1\n"), chunks("1\ra"),
    chunks(";a\r\n"), chunks("1;a\n"), chunks("1;\0\r\n"), chunks("1,1\r\n"),
    chunks("FFFFFFFFFFFFFFFFF\r\n"), chunks("0000000000000001\r\n"),
    chunks("1;" + String(repeating: "a", count: 400)), chunks("1\r\nab"), chunks("1\r\na\n"),
    chunks("1\r\na\rb"), chunks("1\r\naX\r\n"), chunks("0\r\n \r\n"), chunks("0\r\nx\r\n"),
    chunks("0\r\nx: a\n"), chunks("0\r\nContent-Length: 1\r\n\r\n"),
    chunks("0\r\nTransfer-Encoding: chunked\r\n\r\n"), chunks("0\r\nHost: h\r\n\r\n"),
    chunks("0\r\nx : a\r\n\r\n"), chunks("0\r\n\n"),
    chunks(String(repeating: "1;" + String(repeating: "a", count: 200) + "\r\nx\r\n", count: 90)),
  ]
}

@Suite struct HTTP1RequestParserTests {
  private var limits: HTTPLimits {
    var limits = HTTPLimits()
    limits.requestLineBytes = 200
    limits.headerBytes = 500
    limits.fieldCount = 8
    return limits
  }

  @Test("accepted, however it is cut", arguments: AcceptedCase.all)
  func accepts(_ accepted: AcceptedCase) throws {
    for pieces in everySplit(of: Array(accepted.input.utf8)) {
      let requests = try ParsedRequest.all(in: pieces, limits: limits)
      #expect(requests == accepted.requests)
    }
  }

  @Test("a truncated request asks for more", arguments: AcceptedCase.all)
  func truncations(_ accepted: AcceptedCase) throws {
    let input = Array(accepted.input.utf8)
    for count in 0..<input.count {
      let requests = try ParsedRequest.all(in: [Array(input[..<count])], limits: limits)
      #expect(requests.count < accepted.requests.count)
    }
  }

  @Test(
    "refused, however it is cut",
    arguments: RefusedCase.requestLines + RefusedCase.fields + RefusedCase.framing
      + RefusedCase.bodies)
  func refuses(_ refused: RefusedCase) throws {
    let input = Array(refused.input.utf8)
    var errors: Set<HTTP1Error> = []
    for pieces in input.count > 4000 ? [[input], input.map { [$0] }] : everySplit(of: input) {
      let error = #expect(throws: HTTP1Error.self) {
        try ParsedRequest.all(in: pieces, limits: limits)
      }
      if let error { errors.insert(error) }
    }
    #expect(errors.map(\.status) == [refused.status])
  }

  @Test func bytesThatAreNoText() {
    let input = Array("GET / HTTP/1.1\r\nHost: h\r\nx: ".utf8) + [0xFF] + Array("\r\n\r\n".utf8)
    let error = #expect(throws: HTTP1Error.self) {
      try ParsedRequest.all(in: [input], limits: limits)
    }
    #expect(error?.code == .badRequest)
  }

  @Test("random bytes and random cuts give one answer", arguments: 0..<300)
  func randomInput(seed: UInt64) throws {
    var generator = SplitMix(state: seed)
    let parts = [
      "GET / HTTP/1.1\r\n", "POST / HTTP/1.1\r\n", "Host: h\r\n", "Content-Length: 3\r\n", "\r\n",
      "Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n", "0\r\n", "abc", "\n", "\r", "x: y\r\n", " ",
    ]
    let text = (0..<12).map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
    let input = Array(text.utf8)
    let whole = Result { try ParsedRequest.all(in: [input], limits: limits) }
    for pieces in everySplit(of: input) {
      let cut = Result { try ParsedRequest.all(in: pieces, limits: limits) }
      #expect(description(of: cut) == description(of: whole))
    }
  }

  private func description(of result: Result<[ParsedRequest], any Error>) -> String {
    switch result {
    case .success(let requests): "\(requests)"
    case .failure(let error): "\(error)"
    }
  }
}

/// A small seeded generator.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
