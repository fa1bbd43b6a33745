/// What a session noticed while it took or wrote bytes, in order.
enum HTTP2Event {
  /// A request's head is complete.
  case request(stream: Int32, HTTPRequestHead)
  /// The head was longer than the limit; the fields beyond it were dropped.
  case headTooLarge(stream: Int32, HTTPRequestHead)
  /// Bytes of a request's body. They count against the windows until they are consumed.
  case body(stream: Int32, [UInt8])
  /// The request is complete.
  case endOfRequest(stream: Int32)
  /// The answer has been framed to its end.
  case answered(stream: Int32)
  /// The outbox of the stream fell to its mark.
  case drained(stream: Int32)
  /// The stream is over, with the error code of RST_STREAM or 0.
  case closed(stream: Int32, code: UInt32)
  /// The peer answered our PING.
  case pong(HTTP2PingPayload)
}

/// The eight bytes of a PING frame.
typealias HTTP2PingPayload = UInt64

/// Why a session cannot go on. The connection is to be closed.
enum HTTP2SessionError: Error, Hashable {
  /// The first bytes are not the preface of HTTP/2.
  case badPreface
  /// Too many control frames wait to be answered.
  case flooded
  /// Something else that the library takes for an attack; newer versions of it know more of that.
  case refused
  case outOfMemory
}

/// What one connection may use.
struct HTTP2Limits {
  /// Streams open at one time.
  var concurrentStreams = 1_000
  /// Names, values and 32 bytes for each field of a head, as RFC 9113 §6.5.2 counts.
  var headBytes = 64 * 1_024
  /// Bytes of bodies that the peer may send ahead of the handlers, over all streams.
  var connectionWindow: Int32 = 4 << 20
  /// The same for one stream.
  var streamWindow: Int32 = 1 << 20
  /// RST_STREAM frames that the peer may send at once, and per second after that.
  var resetBurst: UInt64 = 10_000
  var resetRate: UInt64 = 1_000

  init() {}

  init(_ limits: HTTPLimits) {
    concurrentStreams = limits.concurrentStreams
    headBytes = limits.headerBytes
  }
}
