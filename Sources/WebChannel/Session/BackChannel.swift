/// The arrays for a client, kept until it has them, and the response that they are written to.
///
/// Times are those of one clock that the caller reads.
struct BackChannel {
  /// What the handler of a response has to do.
  enum Step: Hashable {
    /// To write the bytes, and to end the response if they are the last.
    case write([UInt8], isLast: Bool)
    case wait
    /// To end the response: another has taken its place, or the session is over.
    case end
  }

  /// What the answer to a POST tells.
  struct Report: Hashable {
    var isAttached: Bool
    /// The number of the last array that was written to any response.
    var lastSent: Int
    /// Bytes that were written and not acknowledged.
    var outstandingBytes: Int
  }

  private struct Response {
    let number: Int
    let mode: BackChannelMode
    let began: Duration
    var lastWrite: Duration
    var bytes = 0
  }

  private let limits: ChannelLimits
  /// The arrays that are not acknowledged, with the numbers from `acknowledged` + 1 on. The handshake was number 0.
  private var arrays: [ChannelArray] = []
  private var acknowledged = 0
  /// The number of the array that is to be written next to the response in hand.
  private var cursor = 1
  private var lastSent = 0
  private var keptBytes = 0
  private var pendingBytes = 0
  private var response: Response?
  private var responses = 0
  /// When the last response ended.
  private var detached: Duration
  private var isEnding = false

  init(_ limits: ChannelLimits, now: Duration) {
    self.limits = limits
    detached = now
  }

  private var nextID: Int { acknowledged + arrays.count + 1 }

  private var hasPending: Bool { cursor < nextID }

  /// Whether the service may add arrays.
  var hasRoom: Bool { keptBytes < limits.keptBytes && arrays.count < limits.keptArrays }

  /// Whether the service has ended and the client has everything.
  var isEverythingTold: Bool { isEnding && arrays.isEmpty }

  /// Whether, beside that, no response is open.
  var isDone: Bool { isEverythingTold && response == nil }

  var report: Report {
    Report(
      isAttached: response != nil, lastSent: lastSent, outstandingBytes: keptBytes - pendingBytes)
  }

  // MARK: From the service

  /// Adds a message: a JSON text.
  mutating func append(_ message: [UInt8]) {
    guard !isEnding else { return }
    append(ChannelArray(id: nextID, message))
  }

  private mutating func append(_ array: ChannelArray) {
    arrays.append(array)
    keptBytes += array.text.count
    pendingBytes += array.text.count
  }

  /// Nothing more will be added; what is there still goes out.
  mutating func end() {
    isEnding = true
  }

  /// Ends with an error of the channel itself.
  mutating func stop() {
    guard !isEnding else { return }
    append(.stop(nextID))
    isEnding = true
  }

  // MARK: From the client

  /// The client has all arrays up to `id`. A number below an earlier one changes nothing, and one above what was written means
  /// all of that.
  mutating func acknowledge(_ id: Int) {
    let id = min(id, lastSent)
    guard id > acknowledged else { return }
    let done = arrays.prefix(id - acknowledged)
    keptBytes -= done.reduce(0) { $0 + $1.text.count }
    if id >= cursor {
      pendingBytes -= done.dropFirst(cursor - acknowledged - 1).reduce(0) { $0 + $1.text.count }
      cursor = id + 1
    }
    arrays.removeFirst(done.count)
    acknowledged = id
  }

  /// Takes a new response in place of the one before, for a client that has all arrays up to `id`; every later one is written to
  /// it.
  ///
  /// - Returns: the number of the response.
  mutating func attach(after id: Int, _ mode: BackChannelMode, now: Duration) -> Int {
    acknowledge(id)
    cursor = acknowledged + 1
    pendingBytes = keptBytes
    responses += 1
    response = Response(number: responses, mode: mode, began: now, lastWrite: now)
    // The first bytes tell the client that nothing on the way holds them back.
    if mode == .streamed, !hasPending, !isEnding { append(.noop(nextID)) }
    return responses
  }

  /// What is to be done about the response with this number.
  mutating func next(_ number: Int, now: Duration) -> Step {
    guard var response, response.number == number else { return .end }
    if isEnding, !hasPending {
      guard response.bytes == 0 else {
        detach(number, now: now)
        return .end
      }
      // An empty response would be taken for a failure.
      append(.close(nextID))
    }
    guard hasPending else { return .wait }
    let piece = takePiece()
    response.bytes += piece.count
    response.lastWrite = now
    self.response = response
    let isLast = isLast(response, now)
    if isLast { detach(number, now: now) }
    return .write(piece, isLast: isLast)
  }

  private func isLast(_ response: Response, _ now: Duration) -> Bool {
    switch response.mode {
    case .polled: true
    case .streamed:
      (isEnding && !hasPending) || response.bytes >= limits.responseBytes
        || now - response.began >= limits.responseTime
    }
  }

  private mutating func takePiece() -> [UInt8] {
    let start = cursor - acknowledged - 1
    var end = start
    var bytes = 0
    repeat {
      bytes += arrays[end].text.count
      end += 1
    } while end < arrays.count && bytes + arrays[end].text.count <= limits.pieceBytes
    pendingBytes -= bytes
    cursor = acknowledged + end + 1
    lastSent = max(lastSent, cursor - 1)
    return ChannelFrame.encode(arrays[start..<end])
  }

  /// The response with this number has ended or its client is gone.
  mutating func detach(_ number: Int, now: Duration) {
    guard response?.number == number else { return }
    response = nil
    detached = now
  }

  // MARK: Time

  /// Adds a filler if the client has to hear something.
  ///
  /// - Returns: whether there is something to write now.
  mutating func tick(now: Duration) -> Bool {
    guard let response, !hasPending, !isEnding else { return false }
    let isDue =
      switch response.mode {
      case .streamed: now - response.lastWrite >= limits.keepaliveTime
      case .polled(let hold): now - response.began >= hold
      }
    // A client that never acknowledges gets no fillers without end.
    guard isDue, arrays.count < 2 * limits.keptArrays else { return false }
    append(.noop(nextID))
    return true
  }

  /// Whether the client has stayed away too long.
  func isExpired(now: Duration) -> Bool {
    response == nil && now - detached >= (isEnding ? limits.endedTime : limits.sessionTime)
  }
}
