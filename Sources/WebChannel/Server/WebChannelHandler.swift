package import HTTPServer
internal import NetIO

/// Serves one session: takes its messages and answers them until the session is over.
package typealias ChannelService = @Sendable (ChannelSession) async -> Void

/// Answers the requests of channels at `/SERVICE/channel`.
///
/// Pages of other origins read the answers if a `CrossOrigin` stands before it. Sessions are served while `run` runs.
package struct WebChannelHandler: HTTPHandler {
  /// The version of this server, which clients do nothing with.
  private static let serverVersion = 12
  private static let tick: Duration = .seconds(1)

  /// What pages of other origins have to be able to read of the answers.
  package static let exposedFields = [
    "x-client-wire-protocol", "x-http-session-id", "x-http-initial-response",
  ]

  private let services: [String: ChannelService]
  private let limits: ChannelLimits
  private let time: ChannelTime
  private let executors: [any TaskExecutor]
  private let sessions: ChannelSessions
  private let opened: AsyncStream<ChannelSession>
  private let opening: AsyncStream<ChannelSession>.Continuation

  /// `services` by their names, such as `google.firestore.v1.Firestore/Listen`, are run on `executors` in turn, if there are
  /// any; `random` makes the ids of sessions.
  package init(
    _ services: [String: ChannelService], on executors: [any TaskExecutor] = [],
    limits: ChannelLimits = ChannelLimits(),
    time: ChannelTime = ChannelTime(ContinuousClock()),
    random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) {
    self.services = services
    self.executors = executors
    self.limits = limits
    self.time = time
    sessions = ChannelSessions(limits, random: random)
    (opened, opening) = AsyncStream.makeStream()
  }

  /// How many sessions there are.
  package var sessionCount: Int { sessions.count }

  /// Serves sessions until the task is cancelled. To be called once.
  package func run() async {
    await withDiscardingTaskGroup { tasks in
      tasks.addTask { await keepTime() }
      var count = 0
      for await session in opened {
        guard let service = services[session.service] else { continue }
        let executor = executors.isEmpty ? nil : executors[count % executors.count]
        count += 1
        tasks.addTask(executorPreference: executor) { await service(session) }
      }
    }
  }

  private func keepTime() async {
    while !Task.isCancelled {
      if sessions.count == 0 {
        await sessions.opened.wait()
      } else {
        await time.pause(Self.tick)
        sessions.tick(now: time.now())
      }
    }
  }

  /// Ends all sessions, so that no response stays open; their clients come back later.
  package func close() {
    sessions.close()
  }

  // MARK: - Requests

  package func handle(_ exchange: HTTPExchange) async {
    // Errors of the answer mean that the client is gone: nobody is left to tell.
    let answer = ChannelAnswer(exchange.response)
    guard let target = HTTPTarget(exchange.request.target) else {
      return await answer.refuse(400, ChannelError(text: "Bad escape in the URL"))
    }
    guard let (service, isTest) = route(target.decodedSegments) else {
      try? await exchange.response.respondNotFound()
      return
    }
    guard ["GET", "POST"].contains(exchange.request.method) else {
      return await answer.refuse(405, ChannelError(text: "Method not allowed"))
    }
    if isTest { return await answerTest(target, answer) }
    do throws(ChannelError) {
      let method = exchange.request.method
      switch try ChannelRequest(method: method, query: target.query) {
      case .handshake: try await shakeHands(exchange, target, service, answer)
      case .forward(let id, let acknowledged):
        let session = try find(id, service)
        try await forward(exchange, to: session, acknowledged, answer)
      case .back(let id, let acknowledged, let mode):
        let session = try find(id, service)
        await back(session, after: acknowledged, mode, answer)
      case .terminate(let id):
        if let session = sessions.find(id, service) { sessions.remove(session) }
        await answer.send([])
      }
    } catch {
      await answer.refuse(400, error)
    }
  }

  /// The service of `/A/B/channel` and of `/A/B/channel/test`.
  private func route(_ segments: [String]) -> (service: String, isTest: Bool)? {
    guard 3...4 ~= segments.count, segments[2] == "channel",
      segments.count == 3 || segments[3] == "test"
    else { return nil }
    let name = segments[0] + "/" + segments[1]
    return services[name] == nil ? nil : (name, segments.count == 4)
  }

  /// Older clients ask first whether their host is another one, then whether bytes arrive when they are sent.
  private func answerTest(_ target: HTTPTarget, _ answer: ChannelAnswer) async {
    if target.query.contains(where: { $0.name == "MODE" }) {
      return await answer.send(ChannelFrame.encode("[]"))
    }
    await answer.stream { (write) throws(HTTPStreamError) in
      try await write(Array("11111".utf8))
      await time.pause(.seconds(1))
      try await write(Array("2".utf8))
    }
  }

  private func find(_ id: String, _ service: String) throws(ChannelError) -> ChannelSession {
    guard let session = sessions.find(id, service) else { throw .unknownSession }
    return session
  }

  private func shakeHands(
    _ exchange: HTTPExchange, _ target: HTTPTarget, _ service: String, _ answer: ChannelAnswer
  ) async throws(ChannelError) {
    guard let form = try await form(of: exchange, answer) else { return }
    // Clients until 2022 gave the fields in the URL.
    let older = target.query.first { $0.name == "$httpHeaders" }?.value
    var fields = form.fields
    for line in try ChannelForm.fields(older ?? "").lines + exchange.request.fields.lines {
      fields.append(line.name, line.value)
    }
    guard let session = sessions.open(service, fields, now: time.now()) else {
      return await answer.refuse(503, ChannelError(text: "Too many sessions"))
    }
    _ = session.receive(form.messages)
    opening.yield(session)
    let greeting = """
      [[0,["c","\(session.id)","",8,\(Self.serverVersion),\(limits.keepaliveMilliseconds)]]]
      """
    await answer.send(ChannelFrame.encode(greeting), session: session.id)
  }

  private func forward(
    _ exchange: HTTPExchange, to session: ChannelSession, _ acknowledged: Int,
    _ answer: ChannelAnswer
  ) async throws(ChannelError) {
    await session.waitForRoom()
    guard let form = try await form(of: exchange, answer) else { return }
    let report = session.receive(form.messages, acknowledged: acknowledged)
    if session.isDone { sessions.remove(session) }
    let isAttached = report.isAttached ? 1 : 0
    await answer.send(
      ChannelFrame.encode("[\(isAttached),\(report.lastSent),\(report.outstandingBytes)]"))
  }

  /// The form of a request; `nil` if there is none and that was answered.
  private func form(
    of exchange: HTTPExchange, _ answer: ChannelAnswer
  ) async throws(ChannelError) -> ChannelForm? {
    let body: [UInt8]
    do throws(HTTPStreamError) {
      body = try await exchange.body.collect(upTo: limits.bodyBytes)
    } catch {
      switch error.code {
      case .tooLarge: await answer.refuse(413, ChannelError(text: "Request body is too large"))
      case .malformed: throw ChannelError(text: "Malformed request body")
      case .disconnected, .cancelled, .draining: break
      }
      return nil
    }
    return try ChannelForm(body.span)
  }

  private func back(
    _ session: ChannelSession, after acknowledged: Int, _ mode: BackChannelMode,
    _ answer: ChannelAnswer
  ) async {
    guard let response = session.attach(after: acknowledged, mode, now: time.now()) else {
      sessions.remove(session)
      return await answer.refuse(400, .unknownSession)
    }
    defer { session.detach(response, now: time.now()) }
    switch mode {
    case .polled:
      let piece = await session.nextPiece(for: response, now: time.now)
      await answer.send(piece?.bytes ?? [])
    case .streamed:
      await answer.stream { (write) throws(HTTPStreamError) in
        while let piece = await session.nextPiece(for: response, now: time.now) {
          try await write(piece.bytes)
          if piece.isLast { return }
        }
      }
    }
  }
}
