internal import Coding

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
    output += statusLine(head.status).utf8
    for field in head.fields.lines where !isFraming(field.name) { append(field, to: &output) }
    output.append(addingCapacity: date.count + 96) { rest in
      rest.append("date: ")
      rest.append(date.span)
      switch framing {
      case .chunked: rest.append("\r\ntransfer-encoding: chunked")
      case .count(let length):
        rest.append("\r\ncontent-length: ")
        rest.append(length.description)
      case .none, .untilClose: break
      }
      if !keepsAlive {
        rest.append("\r\nconnection: close\r\n\r\n")
      } else if version == .http1_0 {
        rest.append("\r\nconnection: keep-alive\r\n\r\n")
      } else {
        rest.append("\r\n\r\n")
      }
    }
  }

  static func append(chunkOf count: Int, to output: inout [UInt8]) {
    output += String(count, radix: 16).utf8
    output += "\r\n".utf8
  }

  static func append(lastChunkWith trailers: HTTPFields, to output: inout [UInt8]) {
    output += "0\r\n".utf8
    for field in trailers.lines where !isFraming(field.name) { append(field, to: &output) }
    output += "\r\n".utf8
  }

  /// A field line. A name that is no token is left out; control characters in a value, which could end the line, become blanks.
  private static func append(_ field: HTTPFields.Field, to output: inout [UInt8]) {
    let (name, value) = (field.name.utf8.span, field.value.utf8.span)
    guard HTTP1Syntax.isToken(name) else { return }
    output.append(addingCapacity: name.count + value.count + 4) { line in
      line.append(name)
      line.append(UInt8(ascii: ":"))
      line.append(HTTP1Syntax.space)
      for index in value.indices {
        let byte = value[index]
        line.append(byte >= 0x20 && byte != HTTP1Syntax.delete ? byte : HTTP1Syntax.space)
      }
      line.append(HTTP1Syntax.carriageReturn)
      line.append(HTTP1Syntax.lineFeed)
    }
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
