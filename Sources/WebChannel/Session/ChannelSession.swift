package import HTTPServer
internal import NetIO
internal import Synchronization

/// A stream of one client, which outlives the requests that carry it.
///
/// The service takes messages with `next` and gives some with `send`, each from one task at a time.
package final class ChannelSession: Sendable {
  /// A response that the back channel is written to.
  struct Response: Sendable {
    let number: Int
    /// Set when there is something to do about it.
    let waiter: Waiter
  }

  private struct State {
    var forward: ForwardChannel
    var back: BackChannel
    /// Whether the service still serves.
    var isOpen = true
    /// Whether there is no session any more for the client.
    var isGone = false
    var response: Response?
    /// POSTs that wait until the service has taken messages.
    var waitingPosts: [Waiter] = []

    /// Ends the service with a last message.
    mutating func end() {
      isOpen = false
      back.end()
    }
  }

  /// Cannot be guessed.
  package let id: String
  /// The service that it is for.
  let service: String
  /// The fields that the client gave with the handshake, those of the form before those of the request.
  package let fields: HTTPFields
  private let state: Mutex<State>
  private let arrival = Waiter()
  private let room = Waiter()

  init(
    id: String, service: String, fields: HTTPFields, _ limits: ChannelLimits, now: Duration
  ) {
    self.id = id
    self.service = service
    self.fields = fields
    state = Mutex(
      State(forward: ForwardChannel(limits), back: BackChannel(limits, now: now)))
  }

  // MARK: - For the service

  /// The client's next message; `nil` when the session is over.
  package func next() async -> [UInt8]? {
    while true {
      let (message, posts, isOver) = state.withLock { state -> ([UInt8]?, [Waiter], Bool) in
        guard state.isOpen, !Task.isCancelled else { return (nil, [], true) }
        guard let message = state.forward.take() else { return (nil, [], false) }
        defer { if state.forward.hasRoom { state.waitingPosts = [] } }
        return (message, state.forward.hasRoom ? state.waitingPosts : [], false)
      }
      for post in posts { post.signal() }
      if message != nil || isOver { return message }
      await arrival.wait()
    }
  }

  /// Sends messages, each a JSON text; waits while the client does not take what was sent before.
  ///
  /// - Returns: `false` if the session is over.
  package func send(_ messages: [[UInt8]]) async -> Bool {
    var rest = messages[...]
    while !rest.isEmpty {
      let isOpen = state.withLock { state in
        guard state.isOpen else { return false }
        while state.back.hasRoom, let message = rest.popFirst() { state.back.append(message) }
        return true
      }
      wakeResponse()
      guard isOpen, !Task.isCancelled else { return false }
      if !rest.isEmpty { await room.wait() }
    }
    return true
  }

  /// The service has ended; the client is told so, after a last message if there is one.
  package func finish(_ last: [UInt8]? = nil) {
    state.withLock { state in
      guard state.isOpen else { return }
      if let last { state.back.append(last) }
      state.end()
    }
    wakeAll()
  }

  // MARK: - For the forward channel

  /// Waits until the messages of another request can be held.
  func waitForRoom() async {
    while !Task.isCancelled {
      let waiter = Waiter()
      let mustWait = state.withLock { state in
        guard state.isOpen, !state.forward.hasRoom else { return false }
        state.waitingPosts.append(waiter)
        return true
      }
      guard mustWait else { return }
      await waiter.wait()
    }
  }

  /// Takes the messages of a request, and its acknowledgement.
  ///
  /// - Returns: what the client is to be told.
  func receive(
    _ messages: [ChannelForm.Message], acknowledged: Int = 0
  ) -> BackChannel.Report {
    let report = state.withLock { state in
      state.back.acknowledge(acknowledged)
      let report = state.back.report
      if state.isOpen, state.forward.receive(messages) == .overflow {
        state.back.stop()
        state.end()
      }
      return report
    }
    wakeAll()
    return report
  }

  // MARK: - For the back channel

  /// Takes a new response; the one before ends.
  ///
  /// - Returns: `nil` if the session is over, and the client knows it.
  func attach(after acknowledged: Int, _ mode: BackChannelMode, now: Duration) -> Response? {
    let (response, earlier) = state.withLock { state -> (Response?, Response?) in
      state.back.acknowledge(acknowledged)
      guard !state.isGone, !state.back.isEverythingTold else { return (nil, nil) }
      let earlier = state.response
      let number = state.back.attach(after: acknowledged, mode, now: now)
      let response = Response(number: number, waiter: Waiter())
      state.response = response
      return (response, earlier)
    }
    earlier?.waiter.signal()
    room.signal()
    return response
  }

  /// The next bytes for a response, and whether they are the last; waits until there are some.
  ///
  /// - Returns: `nil` if it has to end as it is.
  func nextPiece(
    for response: Response, now: () -> Duration
  ) async -> (bytes: [UInt8], isLast: Bool)? {
    while !Task.isCancelled {
      let step = state.withLock { state in
        state.isGone ? .end : state.back.next(response.number, now: now())
      }
      switch step {
      case .write(let bytes, let isLast): return (bytes, isLast)
      case .end: return nil
      case .wait: await response.waiter.wait()
      }
    }
    return nil
  }

  /// The response is over, whoever ended it.
  func detach(_ response: Response, now: Duration) {
    state.withLock { state in
      state.back.detach(response.number, now: now)
      if state.response?.number == response.number { state.response = nil }
    }
  }

  // MARK: - For the table of sessions

  /// Sees to fillers.
  ///
  /// - Returns: whether the session may be forgotten.
  func tick(now: Duration) -> Bool {
    let (isDue, isOver) = state.withLock { state in
      (state.back.tick(now: now), state.back.isExpired(now: now) || state.back.isDone)
    }
    if isDue { wakeResponse() }
    return isOver
  }

  /// Whether the service has ended and the client knows everything.
  var isDone: Bool { state.withLock { $0.back.isDone } }

  /// Ends with an error that the client takes for a passing one; what was sent before still goes out.
  func stop() {
    state.withLock { state in
      state.back.stop()
      state.end()
    }
    wakeAll()
  }

  /// Ends at once: the client wants nothing more.
  func terminate() {
    state.withLock { state in
      state.end()
      state.isGone = true
    }
    wakeAll()
  }

  private func wakeResponse() {
    state.withLock { $0.response }?.waiter.signal()
  }

  private func wakeAll() {
    let (response, posts) = state.withLock { state -> (Response?, [Waiter]) in
      defer { if !state.isOpen { state.waitingPosts = [] } }
      return (state.response, state.isOpen ? [] : state.waitingPosts)
    }
    response?.waiter.signal()
    for post in posts { post.signal() }
    arrival.signal()
    room.signal()
  }
}
