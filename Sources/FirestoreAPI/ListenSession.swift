internal import FirestoreListen
package import FirestoreModel
package import FirestoreProtocol
package import FirestoreService
internal import Synchronization

/// A Listen stream that has a task only while there is something to be waited for.
package final class ListenSession: Sendable {
  /// What has come from the client.
  package enum Arrival: Sendable {
    case request(V1.ListenRequest)
    case end
    case nothing
  }

  /// The client. All is called at the place of the outlet, but `start` and `send`.
  package struct Client: Sendable {
    let outlet: ListenAnswerOutlet
    let next: @Sendable () throws(FirestoreError) -> Arrival
    let send: @Sendable ([ListenAnswer]) async throws(FirestoreError) -> Void
    let start: @Sendable (@escaping @Sendable () async -> Void) -> Task<Void, Never>?
    let end: @Sendable (FirestoreError?) -> Void

    /// `next` takes what has come, and throws `CANCELLED` when the client is gone. `start` runs a task. `end` ends the stream, and may
    /// be called when it is over.
    package init(
      outlet: ListenAnswerOutlet,
      next: @escaping @Sendable () throws(FirestoreError) -> Arrival,
      send: @escaping @Sendable ([ListenAnswer]) async throws(FirestoreError) -> Void,
      start: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Task<Void, Never>?,
      end: @escaping @Sendable (FirestoreError?) -> Void
    ) {
      self.outlet = outlet
      self.next = next
      self.send = send
      self.start = start
      self.end = end
    }
  }

  private struct State {
    var stream: ListenStream?
    var isWorking = false
    /// That of the work that is being done, so that it can be cancelled. One that has ended would keep all its memory.
    var task: Task<Void, Never>?
    var isOver = false
  }

  private let operations: FirestoreOperations
  private let principal: Principal
  private let client: Client
  private let state = Mutex(State())

  init(_ operations: FirestoreOperations, _ principal: Principal, _ client: Client) {
    self.operations = operations
    self.principal = principal
    self.client = client
  }

  /// Takes what has come from the client. At the place of the outlet.
  package func arrived() {
    do throws(FirestoreError) {
      while true {
        let (stream, isOver) = state.withLock { ($0.stream, $0.isOver) }
        if isOver || stream?.hasRoom == false { return }
        switch try client.next() {
        case .request(let message):
          let target = if let stream { stream } else { try open(message.database) }
          _ = target.offer(try ListenRequest(message))
        case .end: return end(stream, nil)
        case .nothing: return
        }
      }
    } catch {
      let (stream, task) = state.withLock { ($0.stream, $0.task) }
      if error.code == .cancelled { task?.cancel() }
      end(stream, error)
    }
  }

  private func end(_ stream: ListenStream?, _ error: FirestoreError?) {
    if let stream { stream.end(error) } else { ended(error) }
  }

  private func ended(_ error: FirestoreError?) {
    state.withLock { $0 = State(isOver: true) }
    client.end(error)
  }

  private func begin(_ body: @escaping @Sendable () async -> Void) {
    state.withLock { $0.isWorking = true }
    let task = client.start { [self] in
      await body()
      state.withLock { ($0.isWorking, $0.task) = (false, nil) }
    }
    state.withLock { if $0.isWorking { $0.task = task } }
  }

  private func open(_ database: String) throws(FirestoreError) -> ListenStream {
    let stream = operations.listen(
      try DatabaseName(parsing: database), as: principal, outlet: client.outlet.outlet)
    state.withLock { $0.stream = stream }
    let execute = client.outlet.outlet.execute
    stream.open(
      ListenAttendance(
        send: { [client] (messages) throws(FirestoreError) in
          try await client.send(messages.map { ListenAnswer($0) })
        },
        start: { [self] body in
          execute { [self] in begin(body) }
        },
        hasRoom: { [self] in execute { [self] in arrived() } },
        ended: { [self] error in execute { [self] in ended(error) } }))
    return stream
  }
}

extension FirestoreMethods {
  /// Listen, without a task of its own: the session is to be told when something has come from the client.
  package func listenSession(
    as principal: Principal, client: ListenSession.Client
  ) -> ListenSession {
    ListenSession(operations, principal, client)
  }
}
