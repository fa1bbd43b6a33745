@testable import HTTPServer

/// A request as the parser found it, flat enough to compare.
struct ParsedRequest: Equatable {
  var line: String
  var authority: String
  var fields: [String]
  var keepsAlive: Bool
  var body: String

  /// Feeds the pieces one after the other; what is not complete at the end is missing in the result.
  static func all(in pieces: [[UInt8]], limits: HTTPLimits) throws(HTTP1Error) -> [ParsedRequest] {
    var parser = HTTP1RequestParser(limits: limits)
    var requests: [ParsedRequest] = []
    var current: ParsedRequest?
    for piece in pieces {
      var offset = 0
      reading: while true {
        switch try parser.next(piece.span, &offset) {
        case .needMore: break reading
        case .head(let head): current = ParsedRequest(head)
        case .body(let range): current?.body += String(decoding: piece[range], as: UTF8.self)
        case .end:
          if let done = current { requests.append(done) }
          current = nil
        }
      }
    }
    return requests
  }

  private init(_ head: HTTP1RequestHead) {
    let version = head.request.version == .http1_0 ? "1.0" : "1.1"
    line = "\(head.request.method) \(head.request.target) \(version)"
    authority = head.request.authority
    fields = head.request.fields.lines.map { "\($0.name)=\($0.value)" }
    keepsAlive = head.keepsAlive
    body = ""
  }

  init(
    _ line: String, authority: String = "h", fields: [String] = ["host=h"],
    keepsAlive: Bool = true, body: String = ""
  ) {
    self.line = line
    self.authority = authority
    self.fields = fields
    self.keepsAlive = keepsAlive
    self.body = body
  }
}

/// The input whole, byte by byte, and cut at every offset.
func everySplit(of input: [UInt8]) -> [[[UInt8]]] {
  [[input], input.map { [$0] }]
    + (0...input.count).map { [Array(input[..<$0]), Array(input[$0...])] }
}
