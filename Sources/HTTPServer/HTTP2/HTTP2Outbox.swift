/// The part of an answer's body that has not been framed yet. Belongs to the loop of its connection.
///
/// The owner appends; the session takes bytes while it writes frames.
final class HTTP2Outbox {
  /// What follows the bytes that are here.
  enum End {
    /// More bytes may come.
    case open
    /// The stream ends with the last byte.
    case endOfStream
    /// Trailers follow the last byte and end the stream.
    case trailers(HTTPFields)
  }

  /// What the session learns from one take.
  enum Progress {
    case bytes(Int)
    /// Nothing is here now; the owner resumes the stream when there is.
    case deferred
    /// The last bytes.
    case last(Int)
  }

  private var bytes: [UInt8]
  private var offset = 0
  private(set) var end: End
  /// True while the session waits for `HTTP2Session.resume`.
  private(set) var isDeferred = false
  /// The owner wants to know when at most this many bytes are left.
  var drainMark: Int?

  init(_ bytes: [UInt8] = [], end: End = .open) {
    self.bytes = bytes
    self.end = end
  }

  /// Bytes that have not been framed.
  var count: Int { bytes.count - offset }

  func append(_ more: [UInt8]) {
    if offset == bytes.count {
      bytes = more
      offset = 0
    } else {
      if offset > bytes.count / 2 {
        bytes.removeFirst(offset)
        offset = 0
      }
      bytes += more
    }
  }

  func finish(_ end: End) {
    self.end = end
  }

  /// The session has been told that there is more.
  func resumed() {
    isDeferred = false
  }

  /// Moves as many bytes as fit into `destination`.
  @unsafe func take(into destination: UnsafeMutableRawBufferPointer) -> Progress {
    let taken = min(count, destination.count)
    if taken > 0 {
      unsafe bytes.withUnsafeBytes { source in
        unsafe destination.copyMemory(
          from: UnsafeRawBufferPointer(rebasing: source[offset..<(offset + taken)]))
      }
      offset += taken
    }
    if offset == bytes.count {
      bytes = []
      offset = 0
      switch end {
      case .endOfStream, .trailers: return .last(taken)
      case .open: break
      }
    }
    isDeferred = taken == 0
    return isDeferred ? .deferred : .bytes(taken)
  }
}
