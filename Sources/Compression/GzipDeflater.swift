private import CZlib

/// Compresses a stream of bytes; unique owner of one `z_stream`.
///
/// It is made for answers to a client on the same machine or network, so it prefers speed to size.
@safe package struct GzipDeflater: ~Copyable {
  /// What is to happen behind the bytes given.
  package enum Ending: Sendable {
    /// The reader can read all of them; more follow.
    case flush
    /// No more follow.
    case finish
  }

  /// At a fixed address, since zlib's state points back to it.
  private let stream: UnsafeMutablePointer<z_stream>

  package init() {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let code = unsafe hibachi_deflate_init(stream, Z_BEST_SPEED)
    guard code == Z_OK else { preconditionFailure("deflateInit2: \(code)") }
  }

  deinit {
    _ = unsafe deflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// `bytes`, all there are, compressed.
  package static func deflate(_ bytes: [UInt8]) -> [UInt8] {
    var deflater = GzipDeflater()
    return deflater.deflate(bytes, .finish)
  }

  /// The compressed form of the next bytes, less than 2 GiB of them. Nothing may be given after `.finish`.
  package mutating func deflate(_ bytes: [UInt8], _ ending: Ending) -> [UInt8] {
    // Enough but for the bytes of a flush, for which the loop goes round again.
    let room = unsafe Int(clamping: deflateBound(stream, UInt(bytes.count))) + 16
    var output: [UInt8] = []
    unsafe bytes.withUnsafeBufferPointer { source in
      unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
      unsafe stream.pointee.avail_in = UInt32(source.count)
      repeat {
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: room) { target, count in
          unsafe stream.pointee.next_out = target.baseAddress
          unsafe stream.pointee.avail_out = UInt32(room)
          let code = unsafe CZlib.deflate(stream, ending == .flush ? Z_SYNC_FLUSH : Z_FINISH)
          // Z_BUF_ERROR: there was nothing left to do.
          guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else {
            preconditionFailure("deflate: \(code)")
          }
          count = unsafe room - Int(stream.pointee.avail_out)
        }
        output = output.isEmpty ? piece : output + piece
      } while unsafe stream.pointee.avail_out == 0
    }
    return output
  }
}
