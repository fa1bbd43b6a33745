#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A connection with gRPC calls over cleartext HTTP/2: as much of both as the server of a benchmark needs.
///
/// Windows are opened as far as they go, so that a run never has to widen them, and fields of answers are not looked at.
final class GRPCSocket {
  /// What came for a call.
  enum Event {
    case message(ArraySlice<UInt8>)
    /// The call is over, whatever its status.
    case end
  }

  private enum Frame {
    static let data: UInt8 = 0
    static let headers: UInt8 = 1
    static let reset: UInt8 = 3
    static let settings: UInt8 = 4
    static let ping: UInt8 = 6
    static let goAway: UInt8 = 7
    static let windowUpdate: UInt8 = 8
    /// END_STREAM, and ACK of SETTINGS and PING.
    static let last: UInt8 = 1
    static let endOfHeaders: UInt8 = 4
  }

  let descriptor: Int32
  private let host: String
  private var received: [UInt8] = []
  private var nextCall = 1
  /// Begun messages of calls.
  private var begun: [Int: [UInt8]] = [:]

  init(port: Int) throws {
    host = "127.0.0.1:\(port)"
    descriptor = try connectedSocket(port: port)
    // SETTINGS_INITIAL_WINDOW_SIZE, then as much for the connection on top of its 65,535.
    let window = GRPCSocket.number(0x7FFF_FFFF)
    try transmit(
      Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
        + GRPCSocket.frame(Frame.settings, 0, 0, [0, 4] + window)
        + GRPCSocket.frame(Frame.windowUpdate, 0, 0, GRPCSocket.number(0x7FFF_0000)))
  }

  deinit { close(descriptor) }

  private static func number(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  private static func frame(
    _ type: UInt8, _ flags: UInt8, _ call: Int, _ payload: [UInt8]
  ) -> [UInt8] {
    number(payload.count << 8 | Int(type)) + [flags] + number(call) + payload
  }

  /// Waits until something has come to one of `sockets`; the places of those, none after 10 s.
  static func waitForInput(_ sockets: [GRPCSocket]) -> [Int] {
    var polled = sockets.map {
      pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
    }
    _ = unsafe poll(&polled, nfds_t(polled.count), 10_000)
    return polled.indices.filter { polled[$0].revents != 0 }
  }

  // MARK: - Out

  /// Begins a call of a method of Firestore with one message, which is the last if the call is unary.
  func call(_ method: String, _ message: GRPCBody, isUnary: Bool) throws -> Int {
    let call = nextCall
    nextCall += 2
    // Indexed POST and http; the others are literals that no table keeps.
    var fields: [UInt8] = [0x83, 0x86]
    func literal(_ name: [UInt8], _ value: String) {
      fields += name + [UInt8(value.utf8.count)] + Array(value.utf8)
    }
    literal([0x04], "/google.firestore.v1.Firestore/\(method)")
    literal([0x01], host)
    literal([0x0F, 16], "application/grpc")
    literal([0x0F, 8], "Bearer owner")
    literal([0x00, 2] + Array("te".utf8), "trailers")
    try transmit(
      Self.frame(Frame.headers, Frame.endOfHeaders, call, fields)
        + Self.frame(Frame.data, isUnary ? Frame.last : 0, call, message.framed))
    return call
  }

  /// Sends one more message.
  func send(_ message: GRPCBody, on call: Int) throws {
    try transmit(Self.frame(Frame.data, 0, call, message.framed))
  }

  private func transmit(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Self.send(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 else { throw BenchError("\(host) took no request: errno \(errno)") }
      rest = rest.dropFirst(count)
    }
  }

  private static func send(
    _ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int
  ) -> Int {
    #if canImport(Glibc)
      unsafe Glibc.send(descriptor, bytes, count, Int32(MSG_NOSIGNAL))
    #else
      unsafe Darwin.send(descriptor, bytes, count, 0)
    #endif
  }

  // MARK: - In

  /// Waits until something has come and gives what it was to `body`, with its call.
  func receive(_ body: (Int, Event) throws -> Void) throws {
    let room = 8_192
    let chunk = try unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      count = unsafe recv(descriptor, buffer.baseAddress, room, 0)
      guard count > 0 else {
        count = 0
        throw BenchError("\(host) closed a connection: errno \(errno)")
      }
    }
    received = received.isEmpty ? chunk : received + chunk
    var offset = 0
    while received.count - offset >= 9 {
      let head = received[offset..<offset + 9]
      let length = head.prefix(3).reduce(0) { $0 << 8 | Int($1) }
      guard received.count - offset - 9 >= length else { break }
      let call = head.suffix(4).reduce(0) { $0 << 8 | Int($1) }
      let payload = received[offset + 9..<offset + 9 + length]
      offset += 9 + length
      try take(received[offset - 9 - length + 3], head[head.startIndex + 4], call, payload, body)
    }
    received.removeFirst(offset)
  }

  private func take(
    _ type: UInt8, _ flags: UInt8, _ call: Int, _ payload: ArraySlice<UInt8>,
    _ body: (Int, Event) throws -> Void
  ) throws {
    switch type {
    case Frame.data: try takeMessages(call, payload, body)
    case Frame.settings where flags & Frame.last == 0:
      try transmit(Self.frame(Frame.settings, Frame.last, 0, []))
    case Frame.ping where flags & Frame.last == 0:
      try transmit(Self.frame(Frame.ping, Frame.last, 0, Array(payload)))
    case Frame.reset: try body(call, .end)
    case Frame.goAway: throw BenchError("\(host) ends the connection")
    default: break
    }
    let endsStream = type == Frame.data || type == Frame.headers
    if endsStream, flags & Frame.last != 0 { try body(call, .end) }
  }

  private func takeMessages(
    _ call: Int, _ payload: ArraySlice<UInt8>, _ body: (Int, Event) throws -> Void
  ) throws {
    var bytes = payload
    if let before = begun.removeValue(forKey: call) { bytes = before + payload }
    while bytes.count >= 5 {
      let length = bytes.dropFirst().prefix(4).reduce(0) { $0 << 8 | Int($1) }
      guard bytes.count - 5 >= length else { break }
      try body(call, .message(bytes.dropFirst(5).prefix(length)))
      bytes = bytes.dropFirst(5 + length)
    }
    if !bytes.isEmpty { begun[call] = Array(bytes) }
  }

  /// Makes a unary call; the message that answers it.
  func exchange(_ method: String, _ message: GRPCBody) throws -> [UInt8] {
    let call = try call(method, message, isUnary: true)
    var answer: [UInt8]?
    var isOver = false
    while !isOver {
      try receive { other, event in
        guard other == call else { return }
        switch event {
        case .message(let bytes): answer = Array(bytes)
        case .end: isOver = true
        }
      }
    }
    guard let answer else { throw BenchError("\(method) failed") }
    return answer
  }
}
