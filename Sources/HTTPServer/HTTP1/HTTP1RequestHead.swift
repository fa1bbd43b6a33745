internal import Coding

/// The head of a request with what it says about the message itself.
struct HTTP1RequestHead: Sendable {
  enum Body: Hashable, Sendable {
    /// This many bytes, perhaps none.
    case count(Int)
    case chunked
  }

  var request: HTTPRequestHead
  var body: Body
  /// Whether another request may follow on the connection.
  var keepsAlive: Bool
  /// Whether the peer waits for `100 Continue` before it sends the body.
  var expectsContinue: Bool
}

/// What the field lines of a head add up to, line by line.
struct HTTP1RequestHeadBuilder {
  private(set) var fields = HTTPFields()
  private var method = ""
  private var target = ""
  private var version = HTTPVersion.http1_1
  /// The authority of a target in absolute form.
  private var targetAuthority: String?
  private var host: String?
  private var length: Int?
  private var isChunked = false
  private var closes = false
  private var keepsAlive = false
  private var expectsContinue = false

  init() {
    fields.reserveCapacity(12)
  }

  // MARK: Request line

  /// RFC 9112 §3: one space between the parts, nothing before, nothing after.
  mutating func readRequestLine(_ line: Span<UInt8>) throws(HTTP1Error) {
    guard let first = index(of: HTTP1Syntax.space, in: line, from: 0),
      let second = index(of: HTTP1Syntax.space, in: line, from: first + 1)
    else { throw HTTP1Error(.badRequest, "malformed request line") }
    guard HTTP1Syntax.isToken(line.extracting(0..<first)) else {
      throw HTTP1Error(.badRequest, "malformed method")
    }
    version = try readVersion(line.extracting((second + 1)..<line.count))
    method = try text(line.extracting(0..<first))
    if method == "CONNECT" { throw HTTP1Error(.notImplemented, "CONNECT is not supported") }
    try readTarget(line.extracting((first + 1)..<second))
  }

  private func readVersion(_ bytes: Span<UInt8>) throws(HTTP1Error) -> HTTPVersion {
    guard bytes.count == 8, HTTP1Syntax.matches(bytes.extracting(0..<5), "http/"),
      bytes[0] == UInt8(ascii: "H"), bytes[1] == UInt8(ascii: "T"), bytes[2] == UInt8(ascii: "T"),
      bytes[3] == UInt8(ascii: "P"), HTTP1Syntax.isDigit(bytes[5]), bytes[6] == UInt8(ascii: "."),
      HTTP1Syntax.isDigit(bytes[7])
    else { throw HTTP1Error(.badRequest, "malformed version") }
    switch (bytes[5], bytes[7]) {
    case (UInt8(ascii: "1"), UInt8(ascii: "1")): return .http1_1
    case (UInt8(ascii: "1"), UInt8(ascii: "0")): return .http1_0
    default: throw HTTP1Error(.versionNotSupported, "only HTTP/1.0, HTTP/1.1 and HTTP/2")
    }
  }

  private mutating func readTarget(_ bytes: Span<UInt8>) throws(HTTP1Error) {
    guard !bytes.isEmpty,
      bytes.indices.allSatisfy({ 0x21...0x7E ~= bytes[$0] && bytes[$0] != UInt8(ascii: "#") })
    else { throw HTTP1Error(.badRequest, "malformed target") }
    if bytes[0] == UInt8(ascii: "/") {
      target = try text(bytes)
    } else if method == "OPTIONS", bytes.count == 1, bytes[0] == UInt8(ascii: "*") {
      target = "*"
    } else {
      try readAbsoluteTarget(bytes)
    }
  }

  /// RFC 9112 §3.2.2: as proxies get it, and as any server must take it.
  private mutating func readAbsoluteTarget(_ bytes: Span<UInt8>) throws(HTTP1Error) {
    let start: Int
    if bytes.count > 7, HTTP1Syntax.matches(bytes.extracting(0..<7), "http://") {
      start = 7
    } else if bytes.count > 8, HTTP1Syntax.matches(bytes.extracting(0..<8), "https://") {
      start = 8
    } else {
      throw HTTP1Error(.badRequest, "malformed target")
    }
    var end = start
    while end < bytes.count, bytes[end] != UInt8(ascii: "/"), bytes[end] != UInt8(ascii: "?") {
      end += 1
    }
    guard end > start, HTTP1Syntax.isAuthority(bytes.extracting(start..<end)) else {
      throw HTTP1Error(.badRequest, "malformed authority in the target")
    }
    targetAuthority = try text(bytes.extracting(start..<end))
    let path = try text(bytes.extracting(end..<bytes.count))
    target = path.utf8.first == UInt8(ascii: "/") ? path : "/" + path
  }

  // MARK: Fields

  /// RFC 9112 §5: a name, at once a colon, a value between blanks. Continued lines are refused.
  mutating func readField(_ line: Span<UInt8>) throws(HTTP1Error) {
    let (name, value) = try Self.split(line)
    let bytes = line.extracting(value)
    try note(name, bytes)
    fields.append(name, try text(bytes))
  }

  /// The name in lower case, and where the value is.
  static func split(
    _ line: Span<UInt8>
  ) throws(HTTP1Error) -> (name: String, value: Range<Int>) {
    var colon = 0
    while colon < line.count, HTTP1Syntax.isToken(line[colon]) { colon += 1 }
    guard colon > 0, colon < line.count, line[colon] == UInt8(ascii: ":") else {
      throw HTTP1Error(.badRequest, "malformed field name")
    }
    var start = colon + 1
    var end = line.count
    while start < end, HTTP1Syntax.isBlank(line[start]) { start += 1 }
    while end > start, HTTP1Syntax.isBlank(line[end - 1]) { end -= 1 }
    for index in start..<end where line[index] == HTTP1Syntax.delete {
      throw HTTP1Error(.badRequest, "control character in a field value")
    }
    let name = String(capacity: colon) { name in
      for index in 0..<colon { name.append(HTTP1Syntax.lowercased(line[index])) }
    }
    return (name, start..<end)
  }

  /// Takes up what concerns the message. Told apart by length first, as most names are none of these.
  private mutating func note(_ name: String, _ value: Span<UInt8>) throws(HTTP1Error) {
    switch name.utf8.count {
    case 4 where name == "host":
      guard host == nil, HTTP1Syntax.isAuthority(value) else {
        throw HTTP1Error(.badRequest, "malformed or repeated host")
      }
      host = try text(value)
    case 6 where name == "expect":
      guard HTTP1Syntax.matches(value, "100-continue") else {
        throw HTTP1Error(.expectationFailed, "only 100-continue can be expected")
      }
      expectsContinue = true
    case 10 where name == "connection": noteConnection(value)
    case 14 where name == "content-length":
      guard length == nil else {
        throw HTTP1Error(.badRequest, "repeated content-length")
      }
      length = try Self.readLength(value)
    case 17 where name == "transfer-encoding":
      guard !isChunked, !value.isEmpty else {
        throw HTTP1Error(.badRequest, "empty or repeated transfer-encoding")
      }
      guard HTTP1Syntax.matches(value, "chunked") else {
        throw HTTP1Error(.notImplemented, "the only transfer coding is chunked")
      }
      isChunked = true
    default: break
    }
  }

  private static func readLength(_ value: Span<UInt8>) throws(HTTP1Error) -> Int {
    guard 1...18 ~= value.count else { throw HTTP1Error(.badRequest, "malformed content-length") }
    var length = 0
    for index in value.indices {
      guard HTTP1Syntax.isDigit(value[index]) else {
        throw HTTP1Error(.badRequest, "malformed content-length")
      }
      length = length * 10 + Int(value[index] - 0x30)
    }
    return length
  }

  private mutating func noteConnection(_ value: Span<UInt8>) {
    var start = 0
    while start < value.count {
      let comma = index(of: UInt8(ascii: ","), in: value, from: start) ?? value.count
      var (first, end) = (start, comma)
      while first < end, HTTP1Syntax.isBlank(value[first]) { first += 1 }
      while end > first, HTTP1Syntax.isBlank(value[end - 1]) { end -= 1 }
      let option = value.extracting(first..<end)
      if HTTP1Syntax.matches(option, "close") { closes = true }
      if HTTP1Syntax.matches(option, "keep-alive") { keepsAlive = true }
      start = comma + 1
    }
  }

  // MARK: Whole head

  /// The head after its last line, with the rules that concern several lines (RFC 9112 §3.2, §6).
  func build() throws(HTTP1Error) -> HTTP1RequestHead {
    if isChunked, length != nil {
      throw HTTP1Error(.badRequest, "content-length beside transfer-encoding")
    }
    let isModern = version != .http1_0
    if isChunked, !isModern { throw HTTP1Error(.badRequest, "transfer-encoding in HTTP/1.0") }
    if host == nil, isModern { throw HTTP1Error(.badRequest, "missing host") }
    if let targetAuthority, let host, targetAuthority.lowercased() != host.lowercased() {
      throw HTTP1Error(.badRequest, "the target and the host differ")
    }
    let request = HTTPRequestHead(
      method: method, target: target, authority: targetAuthority ?? host ?? "", version: version,
      fields: fields)
    return HTTP1RequestHead(
      request: request, body: isChunked ? .chunked : .count(length ?? 0),
      keepsAlive: !closes && (isModern || keepsAlive),
      expectsContinue: expectsContinue && isModern && (isChunked || length ?? 0 > 0))
  }

  private func index(of byte: UInt8, in bytes: Span<UInt8>, from start: Int) -> Int? {
    var index = start
    while index < bytes.count {
      if bytes[index] == byte { return index }
      index += 1
    }
    return nil
  }

  /// Bytes beyond ASCII are taken only as UTF-8, since everything behind is UTF-8 too.
  private func text(_ bytes: Span<UInt8>) throws(HTTP1Error) -> String {
    do {
      return String(copying: try UTF8Span(validating: bytes))
    } catch {
      throw HTTP1Error(.badRequest, "a field value is not UTF-8")
    }
  }
}
