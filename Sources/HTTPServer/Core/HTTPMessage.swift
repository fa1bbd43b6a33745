/// The version that a request came in; answers go out in the same.
package enum HTTPVersion: Sendable {
  case http1_0
  case http1_1
  case http2
}

/// What a request asks for, before its body.
package struct HTTPRequestHead: Sendable {
  /// The method as sent, such as `GET`; case matters.
  package var method: String
  /// Path and query as sent, still percent-encoded, such as `/v1/projects/p?x=1`; or `*` of OPTIONS.
  package var target: String
  /// `Host` or `:authority`; empty if a request of HTTP/1.0 has none.
  package var authority: String
  package var version: HTTPVersion
  /// Without pseudo fields; `host` is among them in HTTP/1.1.
  package var fields: HTTPFields

  package init(
    method: String, target: String, authority: String, version: HTTPVersion, fields: HTTPFields
  ) {
    self.method = method
    self.target = target
    self.authority = authority
    self.version = version
    self.fields = fields
  }
}

/// The status and fields of an answer. Framing fields (`content-length` of a whole body, `transfer-encoding`,
/// `connection`, `date`) are the connection's to add.
package struct HTTPResponseHead: Sendable {
  /// 200...599.
  package var status: Int
  package var fields: HTTPFields

  package init(status: Int, fields: HTTPFields = HTTPFields()) {
    self.status = status
    self.fields = fields
  }
}

/// Why a body could not be read or an answer not be written. The connection or stream is over.
package struct HTTPStreamError: Error, Hashable, Sendable {
  package enum Code: Hashable, Sendable {
    /// The peer went away or reset the stream.
    case disconnected
    /// The peer broke the framing of the body.
    case malformed
    /// The body is over the limit that was asked for.
    case tooLarge
    /// The server is ending.
    case draining
    /// The task that waits was cancelled; the stream itself may be well.
    case cancelled
  }

  package var code: Code

  package init(_ code: Code) {
    self.code = code
  }
}
