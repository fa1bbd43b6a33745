internal import Compression

/// Cuts a request's bytes into messages.
///
///     byte 0     0: as it is; 1: compressed
///     bytes 1-4  length of the message, big endian
///     then       the message
///
/// Source: `Length-Prefixed-Message` of the gRPC protocol over HTTP/2.
struct GRPCMessageDecoder {
  /// Bytes before a message.
  static let prefixLength = 5

  private let limit: Int
  private let encoding: GRPCEncoding
  private var buffer: [UInt8] = []
  private var offset = 0

  /// A decoder of messages of at most `limit` bytes, compressed or not.
  init(limit: Int, encoding: GRPCEncoding = .identity) {
    self.limit = limit
    self.encoding = encoding
  }

  /// Takes bytes as they come.
  mutating func append(_ bytes: [UInt8]) {
    if offset == buffer.count {
      buffer = bytes
      offset = 0
    } else {
      if offset > buffer.count / 2 {
        buffer.removeFirst(offset)
        offset = 0
      }
      buffer += bytes
    }
  }

  /// The next message; `nil` if more bytes are needed.
  ///
  /// - Throws: `resourceExhausted` for a message over the limit, as soon as its length is known;
  ///   `internalError` for one that claims to be compressed and should not or is not.
  mutating func next() throws(GRPCStatus) -> [UInt8]? {
    let prefix = Self.prefixLength
    guard buffer.count - offset >= prefix else { return nil }
    let flags = buffer[offset]
    guard flags <= 1 else {
      throw GRPCStatus(.internalError, "Invalid flags before a message: \(flags)")
    }
    let isCompressed = flags == 1
    if isCompressed, encoding == .identity {
      throw GRPCStatus(
        .internalError, "Compressed message without a compression in grpc-encoding")
    }
    let length = buffer[(offset + 1)..<(offset + prefix)].reduce(0) { $0 << 8 | Int($1) }
    guard length <= limit else {
      throw GRPCStatus(
        .resourceExhausted, "gRPC message exceeds maximum size \(limit): \(length)")
    }
    guard buffer.count - offset - prefix >= length else { return nil }
    let start = offset + prefix
    offset = start + length
    let message = Array(buffer[start..<offset])
    if offset == buffer.count {
      buffer = []
      offset = 0
    }
    return isCompressed ? try inflate(message) : message
  }

  private func inflate(_ message: [UInt8]) throws(GRPCStatus) -> [UInt8] {
    do throws(CompressionError) {
      return try GzipInflater.inflate(message, upTo: limit)
    } catch {
      switch error.code {
      case .malformed: throw GRPCStatus(.internalError, "A compressed message is malformed")
      case .tooLarge:
        throw GRPCStatus(
          .resourceExhausted, "gRPC message exceeds maximum size \(limit) when decompressed")
      }
    }
  }

  /// Says that no bytes follow.
  ///
  /// - Throws: `internalError` if a message has been begun.
  func finish() throws(GRPCStatus) {
    guard offset == buffer.count else {
      throw GRPCStatus(.internalError, "The request ends within a message")
    }
  }

  /// `message` with its prefix, compressed if the encoding says so and it is long enough to be worth it.
  static func encode(_ message: [UInt8], _ encoding: GRPCEncoding = .identity) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(prefixLength + message.count)
    append(message, encoding, to: &bytes)
    return bytes
  }

  private static func append(
    _ message: [UInt8], _ encoding: GRPCEncoding, to bytes: inout [UInt8]
  ) {
    let isCompressed = encoding == .gzip && message.count >= leastCompressed
    let content = isCompressed ? GzipDeflater.deflate(message) : message
    bytes.append(isCompressed ? 1 : 0)
    for shift in [24, 16, 8, 0] {
      bytes.append(UInt8(truncatingIfNeeded: content.count >> shift))
    }
    bytes += content
  }

  /// All of `messages`, each with its prefix.
  static func encode(_ messages: [[UInt8]], _ encoding: GRPCEncoding) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(messages.reduce(0) { $0 + prefixLength + $1.count })
    for message in messages { append(message, encoding, to: &bytes) }
    return bytes
  }

  private static let leastCompressed = 1 << 10
}
