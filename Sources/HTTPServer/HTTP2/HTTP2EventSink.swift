private import CNGHTTP2

/// Where the callbacks of a session write down what happened. They do nothing else.
final class HTTP2EventSink {
  private(set) var events: [HTTP2Event] = []
  private(set) var trailersDue: [Int32] = []
  var outboxes: [Int32: HTTP2Outbox] = [:]
  private let headLimit: Int
  private var head = HTTPRequestHead(
    method: "", target: "", authority: "", version: .http2, fields: HTTPFields())
  private var headBytes = 0
  private var recent = HTTP2RecentFields()

  init(headLimit: Int) {
    self.headLimit = headLimit
  }

  func takeEvents() -> [HTTP2Event] {
    if events.isEmpty { return [] }
    defer { events = [] }
    return events
  }

  func takeTrailersDue() -> [Int32] {
    if trailersDue.isEmpty { return [] }
    defer { trailersDue = [] }
    return trailersDue
  }

  // MARK: Callbacks

  func began() {
    head = HTTPRequestHead(
      method: "", target: "", authority: "", version: .http2, fields: HTTPFields())
    headBytes = 0
    recent.rewind()
  }

  /// Fields of a head. nghttp2 has checked names, values and the order of pseudo fields.
  @unsafe func field(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
    headBytes += name.count + value.count + 32
    guard headBytes <= headLimit else { return }
    guard unsafe name.first == UInt8(ascii: ":") else {
      return unsafe recent.add(name, value)
    }
    let text = unsafe String(decoding: value, as: UTF8.self)
    switch unsafe String(decoding: name, as: UTF8.self) {
    case ":method": head.method = text
    case ":path": head.target = text
    case ":authority": head.authority = text
    default: break  // :scheme says nothing here
    }
  }

  func headEnded(_ stream: Int32) {
    head.fields = recent.finish()
    if head.authority.isEmpty, let host = head.fields.first("host") { head.authority = host }
    events.append(
      headBytes <= headLimit
        ? .request(stream: stream, head) : .headTooLarge(stream: stream, head))
    began()
  }

  @unsafe func body(_ stream: Int32, _ bytes: UnsafeBufferPointer<UInt8>) {
    unsafe events.append(.body(stream: stream, Array(bytes)))
  }

  func requestEnded(_ stream: Int32) {
    events.append(.endOfRequest(stream: stream))
  }

  func answered(_ stream: Int32) {
    events.append(.answered(stream: stream))
  }

  func closed(_ stream: Int32, code: UInt32) {
    outboxes[stream] = nil
    events.append(.closed(stream: stream, code: code))
  }

  func pong(_ payload: HTTP2PingPayload) {
    events.append(.pong(payload))
  }

  /// Fills a DATA frame; returns its length or a code of nghttp2.
  @unsafe func fill(
    _ stream: Int32, _ frame: UnsafeMutableRawBufferPointer, _ flags: inout UInt32
  ) -> Int {
    guard let outbox = outboxes[stream] else {
      return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
    }
    let length: Int
    switch unsafe outbox.take(into: frame) {
    case .bytes(let count): length = count
    case .deferred: length = Int(NGHTTP2_ERR_DEFERRED.rawValue)
    case .last(let count):
      length = count
      flags |= NGHTTP2_DATA_FLAG_EOF.rawValue
      if case .trailers = outbox.end {
        flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue
        trailersDue.append(stream)
      }
    }
    if let mark = outbox.drainMark, outbox.count <= mark {
      outbox.drainMark = nil
      events.append(.drained(stream: stream))
    }
    return length
  }
}
