internal import NetIO

/// An HTTP/2 connection: feeds a session from a transport, runs a handler for each stream, and sends what comes of it.
///
/// Confined to its loop. Frames of one turn go out in one write. Reading stops while too many answers to control
/// frames wait behind a peer that does not read; bodies are held back by their windows.
final class HTTP2Connection: ProtocolConnection {
  /// Bytes for one write to the transport.
  private static let writeLimit = 128 * 1_024
  /// What the frames of a turn are expected to need.
  private static let usualWrite = 8 * 1_024
  /// Control frames that may wait before reading stops.
  private static let queueLimit = 1_000
  /// Bytes of bodies that may wait to be framed: for one stream, and for all together.
  private static let streamOutbox = 64 * 1_024
  private static let connectionOutbox = 4 * 1_024 * 1_024
  private static let drainPing: HTTP2PingPayload = 0x4869_6261_6368_6900
  private static let probePing: HTTP2PingPayload = 0x4869_6261_6368_6901
  /// How long the peer has to show that it has heard of the end.
  private static let drainTime = Duration.seconds(3)

  private let transport: ConnectionTransport
  private let session: HTTP2Session
  private var streams: [Int32: HTTP2Stream] = [:]
  /// Handlers of streams that are open, and of those that were reset under them.
  private var runningHandlers = 0
  private var isInTurn = false
  private var isFlushScheduled = false
  private var isReading = true
  private var isDraining = false
  /// When the peer was told of the end, until it is known to have heard.
  private var announced: Duration?
  private var isClosed = false
  private var deadlineTimer: (timer: LoopTimer, at: Duration)?
  private var lastReceived: Duration
  private var probed: Duration?

  init(_ transport: ConnectionTransport) {
    self.transport = transport
    lastReceived = transport.now
    session = HTTP2Session(limits: HTTP2Limits(transport.limits))
  }

  // MARK: Transport

  func received(_ bytes: Span<UInt8>) {
    lastReceived = transport.now
    probed = nil
    isInTurn = true
    var offset = 0
    while offset < bytes.count, !transport.isClosing {
      let end = min(bytes.count, offset + HTTP2Session.receiveLimit)
      do {
        try session.receive(bytes.extracting(offset..<end))
      } catch {
        transport.abort()
      }
      offset = end
      process(session.takeEvents())
    }
    isInTurn = false
    flush()
  }

  /// No client of HTTP/2 closes one direction and waits for the other: the peer is gone.
  func receivedEnd() {
    transport.abort()
  }

  func drained() {
    flush()
  }

  func closed() {
    isClosed = true
    deadlineTimer?.timer.cancel()
    deadlineTimer = nil
    for stream in streams.values { _ = stream.close() }
    streams = [:]
  }

  /// Lets the streams finish and takes no new ones after the peer has learned of it; then the transport is closed.
  func beginDraining() {
    guard !isDraining, !isClosed else { return }
    isDraining = true
    session.announceEnd()
    // A PING overtakes what is queued, so GOAWAY has to be on its way first.
    flush()
    session.ping(Self.drainPing)
    announced = transport.now
    scheduleFlush()
  }

  private func refuseNewStreams() {
    announced = nil
    session.refuseNewStreams()
    scheduleFlush()
  }

  /// Asks a peer that has been silent for too long whether it lives, and gives it up if it does not answer.
  func tick(now: Duration) {
    if let announced, now - announced >= Self.drainTime { refuseNewStreams() }
    if let probed {
      if now - probed >= transport.limits.probeTime { transport.abort() }
    } else if now - lastReceived >= transport.limits.idleTime, isReading {
      probed = now
      session.ping(Self.probePing)
      scheduleFlush()
    }
  }

  // MARK: Events

  private func process(_ events: [HTTP2Event]) {
    var requests: [(HTTP2Stream, HTTPRequestHead)] = []
    for event in events {
      switch event {
      case .request(let id, let request):
        requests.append((open(id, request), request))
      case .headTooLarge(let id, let request):
        let stream = open(id, request)
        runningHandlers += 1
        _ = stream.respond(HTTPResponseHead(status: 431), [], HTTPFields())
        stream.handlerReturned()
      case .body(let id, let bytes):
        if let stream = streams[id] {
          stream.receivedBody(bytes)
        } else {
          session.consumeConnection(bytes.count)
        }
      case .endOfRequest(let id): streams[id]?.receivedEnd()
      case .answered(let id): streams[id]?.framed()
      case .drained(let id): streams[id]?.drained()
      case .closed(let id, _):
        if let stream = streams.removeValue(forKey: id) {
          session.consumeConnection(stream.close())
        }
      case .pong(let payload):
        if payload == Self.drainPing, announced != nil { refuseNewStreams() }
      }
    }
    // Only now, so that a handler finds what of its body is here, and none starts for a stream that was reset.
    for (stream, request) in requests where !stream.isClosed { start(stream, request) }
  }

  private func open(_ id: Int32, _ request: HTTPRequestHead) -> HTTP2Stream {
    let stream = HTTP2Stream(id, request, self)
    streams[id] = stream
    return stream
  }

  private func start(_ stream: HTTP2Stream, _ request: HTTPRequestHead) {
    guard runningHandlers < 2 * transport.limits.concurrentStreams else {
      return session.reset(stream.id, .refusedStream)
    }
    runningHandlers += 1
    let bound = LoopBound(stream, on: transport.loop)
    let ends = HTTP2Exchange(stream: bound)
    let exchange = HTTPExchange(request: request, body: ends, response: ends, direct: ends)
    let handler = transport.handler
    stream.started(
      transport.start {
        await handler.handle(exchange)
        bound.execute { $0.handlerReturned() }
      })
  }

  // MARK: Calls of the streams

  func handlerReturned() {
    runningHandlers -= 1
  }

  func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    transport.start(body)
  }

  /// Adds the time of day, except to gRPC, whose clients have no use for it.
  func respond(to stream: Int32, _ head: HTTPResponseHead, _ outbox: HTTP2Outbox?) {
    var fields = head.fields
    if fields.first("content-type")?.utf8.starts(with: "application/grpc".utf8) != true {
      fields.append("date", String(decoding: transport.date.text, as: UTF8.self))
    }
    session.respond(to: stream, status: head.status, fields: fields, outbox: outbox)
    scheduleFlush()
  }

  func inform(_ stream: Int32, status: Int) {
    session.inform(stream, status: status)
    scheduleFlush()
  }

  func resume(_ stream: Int32) {
    session.resume(stream)
    scheduleFlush()
  }

  func reset(_ stream: Int32, _ code: HTTP2ErrorCode) {
    session.reset(stream, code)
    scheduleFlush()
  }

  func consume(_ stream: Int32, _ count: Int) {
    session.consume(stream, count)
    scheduleFlush()
  }

  /// Bytes of a body that are read though its handler left them.
  var unreadBodyLimit: Int { transport.limits.unreadBodyBytes }

  var now: Duration { transport.now }

  /// Above this many bytes that are not framed yet, the writer of a stream waits.
  var outboxLimit: Int {
    min(Self.streamOutbox, Self.connectionOutbox / max(1, streams.count))
  }

  /// Sees to it that the deadlines of the streams are looked at after `duration`.
  func watchDeadline(_ duration: Duration) {
    let at = now + duration
    if let deadlineTimer {
      if deadlineTimer.at <= at { return }
      deadlineTimer.timer.cancel()
    }
    deadlineTimer = (transport.schedule(after: duration) { self.checkDeadlines() }, at)
  }

  private func checkDeadlines() {
    deadlineTimer = nil
    let now = now
    for stream in streams.values { stream.checkDeadline(at: now) }
    if let next = streams.values.compactMap(\.deadline).min() { watchDeadline(next - now) }
  }

  // MARK: Output

  /// Sends at the end of the turn.
  private func scheduleFlush() {
    guard !isInTurn, !isFlushScheduled, !transport.isClosing else { return }
    isFlushScheduled = true
    LoopBound(self, on: transport.loop).post { $0.flush() }
  }

  private func flush() {
    isFlushScheduled = false
    guard !isClosed, !transport.isClosing else { return }
    isInTurn = true
    defer { isInTurn = false }
    while !transport.isCongested {
      var output: [UInt8] = []
      do {
        try fill(&output)
      } catch {
        return transport.abort()
      }
      if output.isEmpty { break }
      transport.write(output.span)
    }
    if session.isDone { return transport.close() }
    holdBack()
  }

  private func fill(_ output: inout [UInt8]) throws(HTTP2SessionError) {
    if session.hasOutput { output.reserveCapacity(Self.usualWrite) }
    repeat {
      try session.send(into: &output, upTo: Self.writeLimit)
      let events = session.takeEvents()
      if events.isEmpty { return }
      process(events)
    } while output.count < Self.writeLimit
  }

  private func holdBack() {
    let mayRead = session.queuedFrames <= Self.queueLimit
    guard mayRead != isReading else { return }
    isReading = mayRead
    if mayRead { transport.startReading() } else { transport.stopReading() }
  }
}
