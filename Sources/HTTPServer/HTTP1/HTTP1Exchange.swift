internal import NetIO

/// One request and the answer to it, as its connection keeps it. No socket and no task here.
final class HTTP1Exchange {
  /// How far the answer is.
  enum Answer: Hashable {
    case none
    case streaming(HTTP1ResponseEncoder.Framing)
    case finished
  }

  /// With this many bytes of body held for a handler that has not asked yet, nothing more is read and the peer waits; what one
  /// read brought may go over it.
  static let bodyBufferSize = 64 << 10
  /// Small pieces are joined up to this size.
  private static let pieceSize = 16 << 10

  /// Counts the requests of the connection, so that a handler of an earlier one can't meddle.
  let number: UInt64
  let head: HTTP1RequestHead
  var answer = Answer.none
  /// Whether the handler was called.
  var hasStarted = false
  /// Whether the handler has returned.
  var hasReturned = false
  /// Whether `100 Continue` may still have to be sent.
  var awaitsContinue: Bool
  /// Why the rest of the body will not come.
  var bodyError: HTTPStreamError?
  private(set) var isBodyComplete = false
  private(set) var bufferedBytes = 0
  private var pieces: [[UInt8]] = []
  private var firstPiece = 0

  init(number: UInt64, head: HTTP1RequestHead) {
    self.number = number
    self.head = head
    awaitsContinue = head.expectsContinue
  }

  var isHead: Bool { head.request.method == "HEAD" }

  var isBodyBufferFull: Bool { bufferedBytes >= Self.bodyBufferSize }

  /// Whether the next request may begin.
  var isOver: Bool { hasReturned && answer == .finished }

  // MARK: Request body

  func appendBody(_ bytes: Span<UInt8>) {
    guard !hasReturned else { return }
    awaitsContinue = false
    bufferedBytes += bytes.count
    if pieces.count > firstPiece, pieces[pieces.count - 1].count + bytes.count <= Self.pieceSize {
      pieces[pieces.count - 1].append(bytes)
    } else {
      pieces.append([UInt8](bytes))
    }
  }

  func endBody() {
    isBodyComplete = true
    awaitsContinue = false
  }

  /// The next piece for the handler, if there is one.
  func takePiece() -> [UInt8]? {
    guard firstPiece < pieces.count else { return nil }
    let piece = pieces[firstPiece]
    bufferedBytes -= piece.count
    firstPiece += 1
    if firstPiece == pieces.count {
      pieces = []
      firstPiece = 0
    } else {
      pieces[firstPiece - 1] = []
    }
    return piece
  }

  /// Drops what the handler has left unread.
  func dropBody() {
    pieces = []
    firstPiece = 0
    bufferedBytes = 0
  }

  // MARK: Answer

  /// What the head of an answer says about its body; `length` is what is known of it. Answers to HEAD say the same as others.
  func announced(for response: HTTPResponseHead, length: Int?) -> HTTP1ResponseEncoder.Framing {
    if response.status == 204 || response.status == 304 { return .none }
    if let length { return .count(length) }
    return head.request.version == .http1_0 ? .untilClose : .chunked
  }
}
