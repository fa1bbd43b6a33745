/// Writes answers of HTTP/1.1 into bytes. Whatever a handler gives, the result is framed well.
enum HTTP1ResponseEncoder {
  /// How the peer finds the end of a body.
  enum Framing: Hashable {
    /// There is none: 204, 304, and what is sent to HEAD.
    case none
    case count(Int)
    case chunked
    /// The connection ends with it, since HTTP/1.0 knows no chunks.
    case untilClose
  }

  /// Fields that only this file may write.
  private static func isFraming(_ name: String) -> Bool {
    switch name.utf8.count {
    case 4: name == "date"
    case 7: name == "trailer" || name == "upgrade"
    case 10: name == "connection" || name == "keep-alive"
    case 14: name == "content-length"
    case 17: name == "transfer-encoding"
    default: false
    }
  }

  /// The status line, the fields and the empty line.
  static func append(
    _ head: HTTPResponseHead, framing: Framing, keepsAlive: Bool,
    version: HTTPVersion, date: [UInt8], to output: inout [UInt8]
  ) {
    output.append(contentsOf: statusLine(head.status).utf8)
    for field in head.fields.lines where !isFraming(field.name) { append(field, to: &output) }
    output.append(contentsOf: "date: ".utf8)
    output.append(contentsOf: date)
    switch framing {
    case .chunked: output.append(contentsOf: "\r\ntransfer-encoding: chunked".utf8)
    case .count(let length):
      output.append(contentsOf: "\r\ncontent-length: ".utf8)
      append(length, radix: 10, to: &output)
    case .none, .untilClose: break
    }
    if !keepsAlive {
      output.append(contentsOf: "\r\nconnection: close\r\n\r\n".utf8)
    } else if version == .http1_0 {
      output.append(contentsOf: "\r\nconnection: keep-alive\r\n\r\n".utf8)
    } else {
      output.append(contentsOf: "\r\n\r\n".utf8)
    }
  }

  static func append(chunkOf count: Int, to output: inout [UInt8]) {
    append(count, radix: 16, to: &output)
    output.append(contentsOf: "\r\n".utf8)
  }

  static func append(lastChunkWith trailers: HTTPFields, to output: inout [UInt8]) {
    output.append(contentsOf: "0\r\n".utf8)
    for field in trailers.lines where !isFraming(field.name) { append(field, to: &output) }
    output.append(contentsOf: "\r\n".utf8)
  }

  /// A field line. A name that is no token is left out; control characters in a value, which could end the line, become blanks.
  private static func append(_ field: HTTPFields.Field, to output: inout [UInt8]) {
    guard !field.name.isEmpty, field.name.utf8.allSatisfy(HTTP1Syntax.isToken) else { return }
    output.append(contentsOf: field.name.utf8)
    output.append(UInt8(ascii: ":"))
    output.append(HTTP1Syntax.space)
    if field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != HTTP1Syntax.delete }) {
      output.append(contentsOf: field.value.utf8)
    } else {
      output.append(
        contentsOf: field.value.utf8.map {
          $0 >= 0x20 && $0 != HTTP1Syntax.delete ? $0 : HTTP1Syntax.space
        })
    }
    output.append(contentsOf: "\r\n".utf8)
  }

  private static func append(_ number: Int, radix: Int, to output: inout [UInt8]) {
    output.append(contentsOf: String(number, radix: radix).utf8)
  }

  private static func statusLine(_ status: Int) -> String {
    switch status {
    case 200: "HTTP/1.1 200 OK\r\n"
    case 404: "HTTP/1.1 404 Not Found\r\n"
    case 200...599: "HTTP/1.1 \(status) \(reasons[status] ?? "")\r\n"
    default: "HTTP/1.1 500 Internal Server Error\r\n"
    }
  }

  private static let reasons = [
    201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content",
    301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
    307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request",
    401: "Unauthorized", 403: "Forbidden", 405: "Method Not Allowed", 408: "Request Timeout",
    409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed",
    413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type",
    416: "Range Not Satisfiable", 417: "Expectation Failed", 429: "Too Many Requests",
    431: "Request Header Fields Too Large", 499: "Client Closed Request",
    500: "Internal Server Error", 501: "Not Implemented", 503: "Service Unavailable",
    504: "Gateway Timeout", 505: "HTTP Version Not Supported",
  ]
}
