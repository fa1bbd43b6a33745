import CNGHTTP2

/// A frame as it is on the wire.
struct TestFrame: Equatable {
  var type: UInt8
  var flags: UInt8
  var stream: Int
  var payload: [UInt8]

  static let data: UInt8 = 0
  static let headers: UInt8 = 1
  static let reset: UInt8 = 3
  static let settings: UInt8 = 4
  static let ping: UInt8 = 6
  static let goAway: UInt8 = 7
  static let windowUpdate: UInt8 = 8

  var isLast: Bool { type <= 1 && flags & 1 != 0 }

  /// The big-endian number at `offset` of the payload.
  func number(at offset: Int) -> Int {
    payload[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
  }

  /// The whole frames of `bytes`, and how many bytes they are.
  static func parse(_ bytes: [UInt8]) -> (frames: [TestFrame], count: Int) {
    var frames: [TestFrame] = []
    var offset = 0
    while bytes.count - offset >= 9 {
      let length = bytes[offset..<(offset + 3)].reduce(0) { $0 << 8 | Int($1) }
      guard bytes.count - offset - 9 >= length else { break }
      let stream = bytes[(offset + 5)..<(offset + 9)].reduce(0) { $0 << 8 | Int($1) }
      frames.append(
        TestFrame(
          type: bytes[offset + 3], flags: bytes[offset + 4], stream: stream,
          payload: Array(bytes[(offset + 9)..<(offset + 9 + length)])))
      offset += 9 + length
    }
    return (frames, offset)
  }
}

/// What a client sends.
enum ClientBytes {
  static let start =
    Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(TestFrame.settings, 0, 0, [])

  static func frame(_ type: UInt8, _ flags: UInt8, _ stream: Int, _ payload: [UInt8]) -> [UInt8] {
    let length = [payload.count >> 16, payload.count >> 8, payload.count]
    let head = length.map { UInt8(truncatingIfNeeded: $0) } + [type, flags]
    return head + number(stream) + payload
  }

  static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// A HEADERS frame of literals.
  static func headers(_ stream: Int, _ fields: [(String, String)], end: Bool) -> [UInt8] {
    let block: [UInt8] = fields.flatMap { field -> [UInt8] in
      [0] + literal(field.0) + literal(field.1)
    }
    return frame(TestFrame.headers, end ? 5 : 4, stream, block)
  }

  static func request(
    _ stream: Int, _ method: String, _ path: String, _ fields: [(String, String)] = [], end: Bool
  ) -> [UInt8] {
    let pseudo = [
      (":method", method), (":scheme", "http"), (":path", path), (":authority", "test"),
    ]
    return headers(stream, pseudo + fields, end: end)
  }

  static func data(_ stream: Int, _ bytes: [UInt8], end: Bool) -> [UInt8] {
    frame(TestFrame.data, end ? 1 : 0, stream, bytes)
  }

  static func reset(_ stream: Int) -> [UInt8] {
    frame(TestFrame.reset, 0, stream, number(8))
  }

  static func ping(_ payload: [UInt8], isAnswer: Bool = false) -> [UInt8] {
    frame(TestFrame.ping, isAnswer ? 1 : 0, 0, payload)
  }

  private static func literal(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
    var rest = bytes.count - 127
    var length: [UInt8] = [127]
    while rest >= 128 {
      length.append(UInt8(rest & 127 | 128))
      rest >>= 7
    }
    return length + [UInt8(rest)] + bytes
  }
}

/// Reads the header blocks of one connection in order.
@safe final class HeaderDecoder {
  private var inflater: OpaquePointer?

  init() {
    unsafe nghttp2_hd_inflate_new(&inflater)
  }

  deinit { unsafe nghttp2_hd_inflate_del(inflater) }

  /// `name: value` lines.
  func decode(_ block: [UInt8]) -> [String] {
    var lines: [String] = []
    var offset = 0
    while true {
      var field = unsafe nghttp2_nv()
      var flags: Int32 = 0
      let count = unsafe block[offset...].withUnsafeBufferPointer {
        unsafe nghttp2_hd_inflate_hd2(inflater, &field, &flags, $0.baseAddress, $0.count, 1)
      }
      guard count >= 0 else { return lines + ["error \(count)"] }
      offset += count
      if flags & Int32(NGHTTP2_HD_INFLATE_EMIT.rawValue) != 0 {
        let name = unsafe String(
          decoding: UnsafeBufferPointer(start: field.name, count: field.namelen), as: UTF8.self)
        let value = unsafe String(
          decoding: UnsafeBufferPointer(start: field.value, count: field.valuelen), as: UTF8.self)
        lines.append("\(name): \(value)")
      }
      if flags & Int32(NGHTTP2_HD_INFLATE_FINAL.rawValue) != 0 { break }
    }
    unsafe nghttp2_hd_inflate_end_headers(inflater)
    return lines
  }
}
