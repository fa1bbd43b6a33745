private import CZlib

/// Decompresses a stream of bytes; unique owner of one `z_stream`.
///
/// Gives its output in pieces as it is asked for them, so that a few bytes that stand for very many cost no more memory
/// than the caller takes. Several members one after the other are one stream (RFC 1952 §2.2).
@safe package struct GzipInflater: ~Copyable {
  private static let pieceSize = 64 << 10

  /// At a fixed address, since zlib's state points back to it.
  private let stream: UnsafeMutablePointer<z_stream>
  private var input: [UInt8] = []
  private var offset = 0
  /// Before the first member, between two or behind the last.
  private var isBetweenMembers = true
  /// The last piece was full, so zlib may have more without more input.
  private var wasFull = false

  package init() {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let code = unsafe hibachi_inflate_init(stream)
    guard code == Z_OK else { preconditionFailure("inflateInit2: \(code)") }
  }

  deinit {
    _ = unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// What `bytes`, all there are, stand for: at most `limit` bytes.
  package static func inflate(
    _ bytes: [UInt8], upTo limit: Int
  ) throws(CompressionError) -> [UInt8] {
    var inflater = GzipInflater()
    inflater.append(bytes)
    var output: [UInt8] = []
    while let piece = try inflater.next() {
      guard piece.count <= limit - output.count else { throw CompressionError(.tooLarge) }
      output += piece
    }
    try inflater.finish()
    return output
  }

  /// Takes more input. To be called when `next` has nothing more.
  package mutating func append(_ bytes: [UInt8]) {
    if offset == input.count {
      input = bytes
      offset = 0
    } else {
      input += bytes
    }
  }

  /// The next piece of output, never empty; `nil` if that needs more input.
  ///
  /// - Throws: `.malformed`.
  package mutating func next() throws(CompressionError) -> [UInt8]? {
    while offset < input.count || wasFull {
      if isBetweenMembers {
        guard offset < input.count else { return nil }
        _ = unsafe inflateReset(stream)
        isBetweenMembers = false
      }
      let before = offset
      var code = Z_OK
      let piece = inflatePiece(&code)
      switch code {
      case Z_OK, Z_BUF_ERROR: break
      case Z_STREAM_END: isBetweenMembers = true
      default: throw CompressionError(.malformed)
      }
      wasFull = piece.count == Self.pieceSize && !isBetweenMembers
      if !piece.isEmpty { return piece }
      guard offset > before || isBetweenMembers else { break }
    }
    return nil
  }

  private mutating func inflatePiece(_ code: inout Int32) -> [UInt8] {
    var consumed = 0
    let piece = unsafe [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { target, count in
      unsafe input.withUnsafeBufferPointer { source in
        let rest = unsafe UnsafeBufferPointer(rebasing: source[offset...])
        let given = UInt32(clamping: rest.count)
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: rest.baseAddress)
        unsafe stream.pointee.avail_in = given
        unsafe stream.pointee.next_out = target.baseAddress
        unsafe stream.pointee.avail_out = UInt32(Self.pieceSize)
        unsafe code = CZlib.inflate(stream, Z_NO_FLUSH)
        consumed = unsafe Int(given - stream.pointee.avail_in)
      }
      count = unsafe Self.pieceSize - Int(stream.pointee.avail_out)
    }
    offset += consumed
    return piece
  }

  /// Says that no input follows. To be called when `next` has nothing more.
  ///
  /// - Throws: `.malformed` if the input ends before its end.
  package func finish() throws(CompressionError) {
    guard isBetweenMembers, offset == input.count else { throw CompressionError(.malformed) }
  }
}
