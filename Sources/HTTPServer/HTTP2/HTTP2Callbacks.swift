internal import CNGHTTP2

/// The C functions that a session gives to nghttp2; each hands over to `HTTP2EventSink`.
enum HTTP2Callbacks {
  @unsafe static func register(_ callbacks: OpaquePointer?) {
    unsafe nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, data in
      if let frame = unsafe frame, unsafe HTTP2Callbacks.isRequest(frame) {
        unsafe HTTP2Callbacks.sink(data)?.began()
      }
      return 0
    }
    unsafe nghttp2_session_callbacks_set_on_header_callback(callbacks) {
      _, frame, name, nameCount, value, valueCount, _, data in
      if let frame = unsafe frame, unsafe HTTP2Callbacks.isRequest(frame) {
        unsafe HTTP2Callbacks.sink(data)?.field(
          UnsafeBufferPointer(start: name, count: nameCount),
          UnsafeBufferPointer(start: value, count: valueCount))
      }
      return 0
    }
    unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, data in
      if let frame = unsafe frame, let sink = unsafe HTTP2Callbacks.sink(data) {
        unsafe HTTP2Callbacks.received(frame, sink)
      }
      return 0
    }
    unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) {
      _, _, stream, bytes, count, data in
      unsafe HTTP2Callbacks.sink(data)?.body(
        stream, UnsafeBufferPointer(start: bytes, count: count))
      return 0
    }
    unsafe nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { _, frame, data in
      guard let header = unsafe frame?.pointee.hd else { return 0 }
      let type = UInt32(header.type)
      if type == NGHTTP2_DATA.rawValue || type == NGHTTP2_HEADERS.rawValue,
        HTTP2Callbacks.isLast(header)
      {
        unsafe HTTP2Callbacks.sink(data)?.answered(header.stream_id)
      }
      return 0
    }
    unsafe nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) {
      _, stream, code, data in
      unsafe HTTP2Callbacks.sink(data)?.closed(stream, code: code)
      return 0
    }
  }

  /// Fills one DATA frame from the outbox of its stream.
  static let fill: nghttp2_data_source_read_callback = {
    _, stream, buffer, count, flags, _, data in
    guard let sink = unsafe HTTP2Callbacks.sink(data), let flags = unsafe flags else {
      return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)
    }
    return unsafe sink.fill(
      stream, UnsafeMutableRawBufferPointer(start: buffer, count: count), &flags.pointee)
  }

  private static func received(_ frame: UnsafePointer<nghttp2_frame>, _ sink: HTTP2EventSink) {
    let header = unsafe frame.pointee.hd
    switch UInt32(header.type) {
    case NGHTTP2_HEADERS.rawValue:
      if unsafe isRequest(frame) { sink.headEnded(header.stream_id) }
      if isLast(header) { sink.requestEnded(header.stream_id) }
    case NGHTTP2_DATA.rawValue:
      if isLast(header) { sink.requestEnded(header.stream_id) }
    case NGHTTP2_PING.rawValue where header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) != 0:
      let payload = unsafe withUnsafeBytes(of: frame.pointee.ping.opaque_data) {
        unsafe $0.loadUnaligned(as: UInt64.self)
      }
      sink.pong(HTTP2PingPayload(bigEndian: payload))
    default: break  // nghttp2 itself deals with the other types
    }
  }

  private static func isRequest(_ frame: UnsafePointer<nghttp2_frame>) -> Bool {
    unsafe UInt32(frame.pointee.hd.type) == NGHTTP2_HEADERS.rawValue
      && frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST
  }

  private static func isLast(_ header: nghttp2_frame_hd) -> Bool {
    header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
  }

  private static func sink(_ data: UnsafeMutableRawPointer?) -> HTTP2EventSink? {
    guard let data = unsafe data else { return nil }
    return unsafe Unmanaged<HTTP2EventSink>.fromOpaque(data).takeUnretainedValue()
  }
}
