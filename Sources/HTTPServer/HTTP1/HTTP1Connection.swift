internal import NetIO

/// HTTP/1.1 on one connection: one request at a time, those behind it wait in the socket. Confined to its loop.
///
/// A request goes through three things that end independently: its body has been read, its answer is finished, its handler has
/// returned. When all three have happened, the next one may begin.
final class HTTP1Connection: ProtocolConnection {
  /// Bytes of following requests that are held while one is handled; the peer waits then. They are read at all only to notice
  /// that it goes away.
  private static let inputLimit = 64 << 10

  /// Bytes of answers that wait for the end of the turn.
  private static let heldOutput = 64 << 10

  let transport: ConnectionTransport
  var exchange: HTTP1Exchange?
  /// What is to be sent, kept for its memory.
  var output: [UInt8] = []
  /// Whether the answer in progress, or the last one, promised that the connection goes on.
  var answerKeepsAlive = true
  private(set) var isDraining = false
  private(set) var isClosed = false
  private(set) var handle: HTTP1Handle?
  private var parser: HTTP1RequestParser
  private var requestCount: UInt64 = 0
  /// The handler of the exchange; cancelled when the peer goes away.
  private var task: Task<Void, Never>?
  private var input: [UInt8] = []
  private var inputOffset = 0
  private var isParsing = false
  private var isReading = true
  private var isFlushScheduled = false
  private var hasInputEnded = false
  private var hasFailed = false
  private var isWaitingForBody = false
  private var discardedBytes = 0
  private var lastActivity: Duration
  private var headBegan: Duration?

  init(_ transport: ConnectionTransport) {
    self.transport = transport
    parser = HTTP1RequestParser(limits: transport.limits)
    lastActivity = transport.now
    handle = HTTP1Handle(self, on: transport.loop)
  }

  // MARK: Events of the connection

  func received(_ bytes: Span<UInt8>) {
    guard !hasFailed else { return }
    lastActivity = transport.now
    if inputOffset == input.count {
      var offset = 0
      parse(bytes, &offset)
      keep(bytes.extracting(offset..<bytes.count))
    } else {
      keep(bytes)
      parseInput()
    }
    settle()
  }

  /// The peer may have ended its side only, but far more likely it is gone: the handler is told, and may still answer.
  func receivedEnd() {
    hasInputEnded = true
    if let exchange, !exchange.isBodyComplete { failBody(.disconnected) }
    task?.cancel()
    // Answered, and the rest of its body will never come.
    finishExchange()
    settle()
  }

  func drained() {
    if !transport.isCongested { handle?.roomChanged.signal() }
  }

  func beginDraining() {
    isDraining = true
    settle()
  }

  func closed() {
    isClosed = true
    failBody(.disconnected)
    handle?.roomChanged.signal()
    task?.cancel()
    task = nil
    handle = nil
  }

  func tick(now: Duration) {
    let silence = now - lastActivity
    if let exchange {
      let patience = exchange.hasReturned ? transport.limits.headerTime : transport.limits.idleTime
      let isWaiting = isWaitingForBody || exchange.hasReturned
      if isWaiting, !exchange.isBodyComplete, silence >= patience { transport.abort() }
    } else if let headBegan {
      if now - headBegan >= transport.limits.headerTime {
        fail(HTTP1Error(.requestTimeout, "the head of the request did not come in time"))
      }
    } else if silence >= transport.limits.idleTime {
      close()
    }
  }

  // MARK: Input

  private func keep(_ bytes: Span<UInt8>) {
    guard !bytes.isEmpty, !hasFailed, !transport.isClosing else { return }
    if inputOffset > 0 {
      input.removeFirst(inputOffset)
      inputOffset = 0
    }
    input.append(bytes)
  }

  /// Goes on with what was kept, and with a body that ended when its buffer was full. Not from inside `parse`, which goes on by
  /// itself.
  func parseInput() {
    guard !isParsing, inputOffset < input.count || exchange?.isBodyComplete == false else { return }
    let bytes = input
    input = []
    var offset = inputOffset
    parse(bytes.span, &offset)
    if offset < bytes.count {
      input = bytes
      inputOffset = offset
    } else {
      inputOffset = 0
    }
  }

  private var canParse: Bool {
    guard !transport.isClosing, !hasFailed else { return false }
    guard let exchange else { return true }
    return !exchange.isBodyComplete && !exchange.isBodyBufferFull
  }

  private func parse(_ bytes: Span<UInt8>, _ offset: inout Int) {
    isParsing = true
    defer { isParsing = false }
    do {
      while canParse {
        switch try parser.next(bytes, &offset) {
        case .needMore: return startHandler()
        case .head(let head): begin(head)
        case .body(let range): takeBody(bytes.extracting(range))
        case .end:
          exchange?.endBody()
          startHandler()
          bodyChanged()
          finishExchange()
        }
        // It may read from a full buffer at once, and so make room to go on.
        if exchange?.isBodyBufferFull == true { startHandler() }
      }
    } catch {
      fail(error)
    }
  }

  private func begin(_ head: HTTP1RequestHead) {
    requestCount += 1
    headBegan = nil
    discardedBytes = 0
    exchange = HTTP1Exchange(number: requestCount, head: head)
  }

  private func takeBody(_ bytes: Span<UInt8>) {
    guard let isUnwanted = exchange?.hasReturned else { return }
    if isUnwanted {
      discardedBytes += bytes.count
      if discardedBytes > transport.limits.unreadBodyBytes { close() }
    } else {
      exchange?.appendBody(bytes)
      bodyChanged()
    }
  }

  private func bodyChanged() {
    guard isWaitingForBody else { return }
    isWaitingForBody = false
    handle?.bodyChanged.signal()
  }

  private func failBody(_ code: HTTPStreamError.Code) {
    exchange?.bodyError = HTTPStreamError(code)
    bodyChanged()
  }

  /// The peer broke the protocol: says so if no answer has begun, and closes.
  private func fail(_ error: HTTP1Error) {
    hasFailed = true
    (input, inputOffset) = ([], 0)
    if let exchange, !exchange.hasReturned {
      answerKeepsAlive = false
      failBody(.malformed)
      return startHandler()
    }
    if exchange == nil {
      let head = HTTPResponseHead(
        status: error.status, fields: HTTPFields([("content-type", "text/plain; charset=utf-8")]))
      let text = Array((error.message + "\n").utf8)
      HTTP1ResponseEncoder.append(
        head, framing: .count(text.count), keepsAlive: false,
        version: .http1_1, date: transport.date.text, to: &output)
      output += text
      flush()
    }
    close()
  }

  // MARK: Handler

  /// Runs the handler when as much of the body is there as came with the head, so that a small one needs no waiting.
  private func startHandler() {
    guard let exchange, !exchange.hasStarted, let handle else { return }
    self.exchange?.hasStarted = true
    let number = exchange.number
    let stream = HTTP1Stream(handle, number: number)
    let request = HTTPExchange(request: exchange.head.request, body: stream, response: stream)
    let handler = transport.handler
    let task = transport.start {
      await handler.handle(request)
      handle.connection.execute { $0.handlerReturned(number) }
    }
    if self.exchange?.number == number, self.exchange?.hasReturned == false { self.task = task }
  }

  private func handlerReturned(_ number: UInt64) {
    guard exchange?.number == number else { return }
    exchange?.hasReturned = true
    exchange?.dropBody()
    task = nil
    isWaitingForBody = false
    guard !isClosed else { return }
    guard exchange?.answer == .finished else {
      flush()
      return transport.abort()
    }
    finishExchange()
    guard !isParsing else { return }
    parseInput()
    settle()
  }

  /// Makes room for the next request if this one is over, or closes if there must not be a next one.
  private func finishExchange() {
    guard let exchange, exchange.isOver else { return }
    if !answerKeepsAlive || exchange.bodyError != nil || hasFailed {
      self.exchange = nil
      close()
    } else if exchange.isBodyComplete {
      self.exchange = nil
      lastActivity = transport.now
    } else if parser.remainingBody > transport.limits.unreadBodyBytes {
      self.exchange = nil
      close()
    }
  }

  /// After any event: closes a connection that has nothing more to do, reads or holds the peer back, notes when a head began.
  private func settle() {
    guard !transport.isClosing else { return }
    if exchange == nil, hasInputEnded || (isDraining && parser.isBetweenRequests) {
      return close()
    }
    if exchange == nil, !parser.isBetweenRequests {
      headBegan = headBegan ?? transport.now
    }
    let wantsInput =
      input.count - inputOffset < Self.inputLimit && exchange?.isBodyBufferFull != true
    guard wantsInput != isReading else { return }
    isReading = wantsInput
    if wantsInput {
      transport.startReading()
    } else {
      transport.stopReading()
    }
  }

  // MARK: For the handler

  enum BodyOutcome: Sendable {
    case piece([UInt8])
    case end
    case failed(HTTPStreamError)
    case wait
  }

  /// The next piece of the body. The peer is told to send one if it waits for that (RFC 9110 §10.1.1).
  func nextBody(_ number: UInt64) -> BodyOutcome {
    guard exchange?.number == number, exchange?.hasReturned == false else {
      return .failed(HTTPStreamError(.disconnected))
    }
    if let piece = exchange?.takePiece() {
      parseInput()
      settle()
      return .piece(piece)
    }
    if exchange?.isBodyComplete == true { return .end }
    if let error = exchange?.bodyError { return .failed(error) }
    if exchange?.awaitsContinue == true, exchange?.answer == HTTP1Exchange.Answer.none {
      exchange?.awaitsContinue = false
      output.append(contentsOf: "HTTP/1.1 100 Continue\r\n\r\n".utf8)
      flush()
    }
    isWaitingForBody = true
    return .wait
  }

  private func close() {
    flush()
    transport.close()
  }

  /// Sends what is in `output` at the end of the turn: so the answers to what came in one turn go out one behind the other, and
  /// the code for either work stays at hand.
  func flushLater() {
    guard output.count <= Self.heldOutput, let handle else { return flush() }
    guard !isFlushScheduled else { return }
    isFlushScheduled = true
    handle.connection.post { connection in
      connection.isFlushScheduled = false
      connection.flush()
    }
  }

  /// Sends what is in `output`.
  func flush() {
    guard !output.isEmpty else { return }
    transport.write(output.span)
    output.removeAll(keepingCapacity: output.capacity <= 64 << 10)
  }
}
