internal import NetIO

/// The answer of the handler, put on the wire.
extension HTTP1Connection {
  /// Up to this size a body is copied behind its head or chunk size, for one buffer; larger ones are handed over as they are.
  private static let joinedBytes = 16 << 10

  /// Whether the peer has taken enough for more to be sent.
  func hasRoom(_ number: UInt64) -> HTTP1Stream.Outcome {
    guard !isClosed, exchange?.number == number else { return failure(.disconnected) }
    return .success(!transport.isCongested)
  }

  func respond(
    _ number: UInt64, _ head: HTTPResponseHead, _ body: [UInt8], _ trailers: HTTPFields
  ) -> HTTP1Stream.Outcome {
    guard let exchange = current(number), exchange.answer == .none else {
      return failure(.disconnected)
    }
    if !trailers.lines.isEmpty, !exchange.isHead,
      exchange.announced(for: head, length: nil) == .chunked
    {
      begin(head, .chunked)
      appendChunk(body)
      HTTP1ResponseEncoder.append(lastChunkWith: trailers, to: &output)
      flush()
    } else {
      let framing = exchange.announced(for: head, length: body.count)
      // Too much to read for the sake of the next request.
      if !exchange.isBodyComplete, case .count(let count) = exchange.head.body,
        count > transport.limits.unreadBodyBytes
      {
        answerKeepsAlive = false
      }
      begin(head, framing)
      if framing == .none || exchange.isHead {
        flushLater()
      } else if body.count <= Self.joinedBytes {
        output += body
        flushLater()
      } else {
        flush(with: body)
      }
    }
    self.exchange?.answer = .finished
    return hasRoom(number)
  }

  /// The head waits for the first piece, but not longer than to the end of the turn.
  func send(_ number: UInt64, _ head: HTTPResponseHead) -> HTTP1Stream.Outcome {
    guard let exchange = current(number), exchange.answer == .none else {
      return failure(.disconnected)
    }
    let length = head.fields.first("content-length").flatMap { Int($0) }.flatMap {
      $0 < 0 ? nil : $0
    }
    let framing = exchange.announced(for: head, length: length)
    begin(head, framing)
    self.exchange?.answer = .streaming(exchange.isHead ? .none : framing)
    flushLater()
    return hasRoom(number)
  }

  func write(_ number: UInt64, _ bytes: [UInt8]) -> HTTP1Stream.Outcome {
    guard let exchange = current(number), case .streaming(let framing) = exchange.answer else {
      return failure(.disconnected)
    }
    switch framing {
    case .none: flush()
    case .chunked:
      // A chunk of no bytes would end the body.
      if !bytes.isEmpty { appendChunk(bytes) }
      flush()
    case .untilClose: flush(with: bytes)
    case .count(let remaining):
      guard bytes.count <= remaining else { return breakOff() }
      self.exchange?.answer = .streaming(.count(remaining - bytes.count))
      flush(with: bytes)
    }
    return hasRoom(number)
  }

  enum LoanOutcome: Sendable {
    case socket(SocketLoan)
    case none
    case failed(HTTPStreamError)
    case wait
  }

  /// The socket for the handler to write to, when everything before is sent.
  func lendSocket(_ number: UInt64) -> LoanOutcome {
    guard let exchange = current(number), case .streaming(.count) = exchange.answer else {
      return isClosed ? .failed(HTTPStreamError(.disconnected)) : .none
    }
    flush()
    if transport.outstandingBytes > 0 { return .wait }
    return transport.lendSocket().map { .socket($0) } ?? .none
  }

  /// The handler has written bytes of the body to the socket, and gives more to send behind them.
  func noteSent(_ number: UInt64, _ count: Int, _ rest: [UInt8]) -> HTTP1Stream.Outcome {
    guard let exchange = current(number), case .streaming(.count(let remaining)) = exchange.answer
    else { return failure(.disconnected) }
    guard count <= remaining else { return breakOff() }
    self.exchange?.answer = .streaming(.count(remaining - count))
    return rest.isEmpty ? .success(true) : write(number, rest)
  }

  func finish(_ number: UInt64, _ trailers: HTTPFields) -> HTTP1Stream.Outcome {
    guard let exchange = current(number), case .streaming(let framing) = exchange.answer else {
      return failure(.disconnected)
    }
    switch framing {
    case .none, .untilClose: break
    case .chunked: HTTP1ResponseEncoder.append(lastChunkWith: trailers, to: &output)
    case .count(let remaining):
      guard remaining == 0 else { return breakOff() }
    }
    flush()
    self.exchange?.answer = .finished
    return hasRoom(number)
  }

  private func current(_ number: UInt64) -> HTTP1Exchange? {
    guard !isClosed, let exchange, exchange.number == number, !exchange.hasReturned else {
      return nil
    }
    return exchange
  }

  private func failure(_ code: HTTPStreamError.Code) -> HTTP1Stream.Outcome {
    .failure(HTTPStreamError(code))
  }

  /// The handler gave more or less than the length it promised: the peer must not take it for a whole answer.
  private func breakOff() -> HTTP1Stream.Outcome {
    transport.abort()
    return failure(.disconnected)
  }

  private func begin(_ head: HTTPResponseHead, _ framing: HTTP1ResponseEncoder.Framing) {
    guard let exchange else { return }
    // Whoever was not told to send its body may send it or not: no request can follow (RFC 9110 §10.1.1).
    let isPromised =
      exchange.head.keepsAlive && !isDraining && !exchange.awaitsContinue
      && exchange.bodyError == nil && (framing != .untilClose || exchange.isHead)
    answerKeepsAlive = answerKeepsAlive && isPromised
    HTTP1ResponseEncoder.append(
      head, framing: framing, keepsAlive: answerKeepsAlive,
      version: exchange.head.request.version, date: transport.date.text, to: &output)
  }

  private func appendChunk(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    HTTP1ResponseEncoder.append(chunkOf: bytes.count, to: &output)
    if bytes.count <= Self.joinedBytes {
      output += bytes
    } else {
      flush(with: bytes)
    }
    output.append(HTTP1Syntax.carriageReturn)
    output.append(HTTP1Syntax.lineFeed)
  }

  /// Sends what is in `output` and then `bytes`.
  private func flush(with bytes: [UInt8]) {
    if bytes.count <= Self.joinedBytes {
      output += bytes
      flush()
    } else {
      transport.write(output.span, bytes.span)
      output.removeAll(keepingCapacity: true)
    }
  }
}
