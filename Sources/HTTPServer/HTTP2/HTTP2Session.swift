private import CNGHTTP2

/// The server side of one HTTP/2 connection without its socket; unique owner of one `nghttp2_session`.
///
/// Bytes go in with `receive` and come out with `send`; what they meant is in `takeEvents`. A call for a stream
/// that is over does nothing.
@safe struct HTTP2Session: ~Copyable {
  private let handle: OpaquePointer
  private let sink: HTTP2EventSink
  /// Longest piece for one `receive`: even if it is all SETTINGS or PING frames, their answers fit in
  /// `acknowledgementLimit`, provided that `send` runs in between or few answers wait.
  static let receiveLimit = 64 * 1_024
  private static let acknowledgementLimit = 16_384

  /// A session that has its SETTINGS and its wider connection window ready to send.
  init(limits: HTTP2Limits = HTTP2Limits()) {
    sink = HTTP2EventSink(headLimit: limits.headBytes)
    let session = unsafe Self.open(sink, limits)
    unsafe handle = session
    var settings = [
      Self.setting(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, UInt32(limits.concurrentStreams)),
      Self.setting(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, UInt32(limits.streamWindow)),
      Self.setting(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, UInt32(limits.headBytes)),
      Self.setting(NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1),
    ]
    let none = UInt8(NGHTTP2_FLAG_NONE.rawValue)
    Self.check(unsafe nghttp2_submit_settings(session, none, &settings, settings.count))
    Self.check(
      unsafe nghttp2_session_set_local_window_size(session, none, 0, limits.connectionWindow))
  }

  deinit { unsafe nghttp2_session_del(handle) }

  /// Takes in at most `receiveLimit` bytes.
  ///
  /// Violations of the protocol are answered by the session itself: GOAWAY is sent and `isDone` turns true.
  func receive(_ bytes: Span<UInt8>) throws(HTTP2SessionError) {
    let result = unsafe bytes.withUnsafeBufferPointer {
      unsafe nghttp2_session_mem_recv(handle, $0.baseAddress, $0.count)
    }
    guard result < 0 else { return }
    switch Int32(result) {
    case NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue: throw .badPreface
    case NGHTTP2_ERR_FLOODED.rawValue: throw .flooded
    case NGHTTP2_ERR_NOMEM.rawValue: throw .outOfMemory
    default: throw .refused
    }
  }

  /// What happened since the last call, in order.
  func takeEvents() -> [HTTP2Event] {
    sink.takeEvents()
  }

  /// Appends frames to `output` until it holds `limit` bytes or more, or nothing is ready.
  func send(into output: inout [UInt8], upTo limit: Int) throws(HTTP2SessionError) {
    while output.count < limit {
      var bytes: UnsafePointer<UInt8>?
      let count = unsafe nghttp2_session_mem_send(handle, &bytes)
      if count < 0 { throw .outOfMemory }
      if count > 0, let start = unsafe bytes {
        unsafe output.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
        continue
      }
      let due = sink.takeTrailersDue()
      if due.isEmpty { return }
      for stream in due { submitTrailers(stream) }
    }
  }

  /// Frames that wait to be sent, without those of bodies.
  var queuedFrames: Int { unsafe nghttp2_session_get_outbound_queue_size(handle) }

  /// Whether there is something to send.
  var hasOutput: Bool { unsafe nghttp2_session_want_write(handle) != 0 }

  /// True when nothing more is to be read or sent: the connection can be closed.
  var isDone: Bool {
    unsafe nghttp2_session_want_read(handle) == 0 && !hasOutput
  }
}

// MARK: - Answers

extension HTTP2Session {
  /// Submits the head of an answer; the body comes from `outbox`, and there is none without it.
  func respond(
    to stream: Int32, status: Int, fields: HTTPFields, outbox: HTTP2Outbox?
  ) {
    if let outbox { sink.outboxes[stream] = outbox }
    let result = unsafe HTTP2FieldBlock.withFields(status: status, fields) { fields in
      guard outbox != nil else {
        return unsafe nghttp2_submit_response(
          handle, stream, fields.baseAddress, fields.count, nil)
      }
      var provider = unsafe nghttp2_data_provider(
        source: nghttp2_data_source(ptr: nil), read_callback: HTTP2Callbacks.fill)
      return unsafe nghttp2_submit_response(
        handle, stream, fields.baseAddress, fields.count, &provider)
    }
    if result != 0 { abandon(stream, result) }
  }

  /// Submits an informational head such as 100.
  func inform(_ stream: Int32, status: Int) {
    let result = unsafe HTTP2FieldBlock.withFields(status: status, HTTPFields()) { fields in
      unsafe nghttp2_submit_headers(
        handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, nil, fields.baseAddress, fields.count,
        nil)
    }
    if result != 0 { abandon(stream, result) }
  }

  /// Goes on with a stream whose outbox was empty.
  func resume(_ stream: Int32) {
    guard let outbox = sink.outboxes[stream], outbox.isDeferred else { return }
    outbox.resumed()
    let result = unsafe nghttp2_session_resume_data(handle, stream)
    if result != 0 { abandon(stream, result) }
  }

  /// Ends a stream at once; what was submitted for it is dropped.
  func reset(_ stream: Int32, _ code: HTTP2ErrorCode) {
    Self.check(
      unsafe nghttp2_submit_rst_stream(
        handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code.rawValue))
  }

  private func submitTrailers(_ stream: Int32) {
    guard case .trailers(let fields)? = sink.outboxes[stream]?.end else { return }
    let result = unsafe HTTP2FieldBlock.withFields(status: nil, fields) { fields in
      unsafe nghttp2_submit_trailer(handle, stream, fields.baseAddress, fields.count)
    }
    if result != 0 { abandon(stream, result) }
  }

  /// A submission was refused: the stream is gone already, or what we sent for it is not legal in HTTP.
  private func abandon(_ stream: Int32, _ result: Int32) {
    switch result {
    case NGHTTP2_ERR_INVALID_ARGUMENT.rawValue, NGHTTP2_ERR_DATA_EXIST.rawValue,
      NGHTTP2_ERR_NOMEM.rawValue, NGHTTP2_ERR_INVALID_STATE.rawValue,
      NGHTTP2_ERR_PROTO.rawValue:
      reset(stream, .internalError)
    default: preconditionFailure("nghttp2 refused a frame: \(result)")
    }
  }
}

// MARK: - Connection

extension HTTP2Session {
  /// Gives back `count` bytes of the window of a stream and of the connection.
  func consume(_ stream: Int32, _ count: Int) {
    Self.check(unsafe nghttp2_session_consume(handle, stream, count))
  }

  /// Gives back `count` bytes of the connection's window, for a stream that is over.
  func consumeConnection(_ count: Int) {
    Self.check(unsafe nghttp2_session_consume_connection(handle, count))
  }

  func ping(_ payload: HTTP2PingPayload) {
    var bytes = payload.bigEndian
    let result = unsafe withUnsafeBytes(of: &bytes) { bytes in
      unsafe nghttp2_submit_ping(
        handle, UInt8(NGHTTP2_FLAG_NONE.rawValue),
        bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
    }
    Self.check(result)
  }

  /// Announces with GOAWAY that the connection will end; streams still come in.
  func announceEnd() {
    Self.check(unsafe nghttp2_submit_shutdown_notice(handle))
  }

  /// Sends GOAWAY with the last stream that was taken; later ones are ignored.
  func refuseNewStreams() {
    let last = unsafe nghttp2_session_get_last_proc_stream_id(handle)
    Self.check(
      unsafe nghttp2_submit_goaway(
        handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), last, HTTP2ErrorCode.noError.rawValue, nil, 0))
  }

  /// For calls that fail only without memory, as every allocation of ours does too.
  private static func check(_ result: Int32) {
    precondition(result == 0, "nghttp2: \(result)")
  }

  private static func setting(
    _ id: nghttp2_settings_id, _ value: UInt32
  ) -> nghttp2_settings_entry {
    nghttp2_settings_entry(settings_id: Int32(id.rawValue), value: value)
  }

  private static func open(_ sink: HTTP2EventSink, _ limits: HTTP2Limits) -> OpaquePointer {
    var option: OpaquePointer?
    var callbacks: OpaquePointer?
    var session: OpaquePointer?
    check(unsafe nghttp2_option_new(&option))
    defer { unsafe nghttp2_option_del(option) }
    unsafe nghttp2_option_set_no_auto_window_update(option, 1)
    unsafe nghttp2_option_set_no_closed_streams(option, 1)
    unsafe nghttp2_option_set_max_outbound_ack(option, acknowledgementLimit)
    unsafe nghttp2_option_set_stream_reset_rate_limit(
      option, limits.resetBurst, limits.resetRate)
    check(unsafe nghttp2_session_callbacks_new(&callbacks))
    defer { unsafe nghttp2_session_callbacks_del(callbacks) }
    unsafe HTTP2Callbacks.register(callbacks)
    let context = unsafe Unmanaged.passUnretained(sink).toOpaque()
    check(unsafe nghttp2_session_server_new2(&session, callbacks, context, option))
    guard let session = unsafe session else { preconditionFailure("nghttp2 gave no session") }
    return unsafe session
  }
}

/// Error codes of RST_STREAM that the server sends (RFC 9113 §7).
enum HTTP2ErrorCode: UInt32 {
  case noError = 0
  case internalError = 2
  case refusedStream = 7
  case cancel = 8
}
