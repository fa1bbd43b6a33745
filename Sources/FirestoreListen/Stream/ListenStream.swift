package import FirestoreEngine
package import FirestoreModel
internal import Synchronization

/// A Listen stream: requests go in from one task, messages come out in another.
///
/// What a commit changes goes out at once through the outlet, if there is one and nothing has to be waited for; the task does
/// the rest.
package final class ListenStream: Sendable {
  /// Gives messages to the client; waits while it does not read.
  package typealias Send = @Sendable ([ListenMessage]) async throws(FirestoreError) -> Void

  let database: DatabaseName
  let hub: ListenHub
  let engine: Engine
  let outlet: ListenOutlet?
  let inbox = ListenInbox()
  /// Throws if the client may not see what a target selects at a moment, or now.
  package typealias Admission =
    @Sendable (ListenTarget.Selection, ReadPoint?) throws(FirestoreError) -> Void

  let admit: Admission
  let isBound: @Sendable () -> Bool
  private let mayRead: @Sendable (DocumentName, ReadPoint) -> Bool
  /// The state, except while the task works on it. Lock order: this before the hub and the inbox.
  private let atRest = Mutex<ListenRun?>(nil)
  private let work = Mutex(WorkState())

  /// `admit` is asked when a target begins and, while `isBound`, whenever there is something to tell of it or the hub says
  /// so; `mayRead` while `isBound` of documents that a query finds no longer, which it proves nothing about.
  package init(
    _ database: DatabaseName, hub: ListenHub, engine: Engine, outlet: ListenOutlet? = nil,
    isBound: @escaping @Sendable () -> Bool = { false },
    mayRead: @escaping @Sendable (DocumentName, ReadPoint) -> Bool = { (_, _) in true },
    admit: @escaping Admission
  ) {
    self.database = database
    self.hub = hub
    self.engine = engine
    self.outlet = outlet
    self.isBound = isBound
    self.mayRead = mayRead
    self.admit = admit
  }

  /// Takes a request; waits until the one before is being answered.
  package func receive(_ request: ListenRequest) async {
    await inbox.put(request)
  }

  /// No request comes any more: what was asked is answered, then the stream ends, with `error` at once.
  package func end(_ error: FirestoreError? = nil) {
    inbox.end(error)
  }

  /// Whether `offer` would take a request.
  package var hasRoom: Bool { inbox.hasRoom }

  /// Takes a request unless the one before waits to be answered.
  package func offer(_ request: ListenRequest) -> Bool { inbox.offer(request) }

  /// Answers until the end, as `run` does, but with a task only while there is something that has to be waited for. To be called
  /// once, instead of `run`.
  package func open(_ attendance: ListenAttendance) {
    put(ListenRun(self))
    // Kept until the end, as the attendance is.
    inbox.attend { [self] in
      guard work.withLock({ $0.begin() }) else { return }
      attendance.start { await self.work(attendance) }
    }
    hub.open(self)
  }

  /// What the client is told of `effect`: of a document that it may not read, only that it is out of view.
  func veiled(_ effect: TargetEffect, at point: ReadPoint) -> TargetEffect {
    guard case .left(let shared) = effect, isBound(), !mayRead(shared.document.name, point) else {
      return effect
    }
    return .leftView(shared.document.name)
  }

  private func work(_ attendance: ListenAttendance) async {
    while true {
      guard let next = inbox.look() else {
        if work.withLock({ $0.end() }) { return }
        continue
      }
      if case .end(let error) = next { return close(error, attendance) }
      if case .request = next { attendance.hasRoom() }
      if let error = await answer(next, attendance.send) { return close(error, attendance) }
    }
  }

  private func close(_ error: FirestoreError?, _ attendance: ListenAttendance) {
    inbox.attend(nil)
    take()?.removeAll()
    hub.close(self)
    attendance.ended(error)
  }

  /// Answers until the end. To be called once.
  ///
  /// - Throws: what `send` throws, the error that ended the stream, `CANCELLED` in a cancelled task.
  package func run(send: @escaping Send) async throws(FirestoreError) {
    hub.open(self)
    put(ListenRun(self))
    defer {
      take()?.removeAll()
      hub.close(self)
    }
    while true {
      let next = try await inbox.next()
      if case .end(let error) = next {
        if let error { throw error }
        return
      }
      let failure = await withTaskGroup(of: FirestoreError?.self) { tasks in
        // In a task of its own, whose memory is given back: most streams are at rest for most of their time.
        tasks.addTask { await self.answer(next, send) }
        return await tasks.next() ?? nil
      }
      if let failure { throw failure }
    }
  }

  private func answer(_ next: ListenInbox.Next, _ send: Send) async -> FirestoreError? {
    guard var run = take() else { return nil }
    defer { put(run) }
    do throws(FirestoreError) {
      try await run.answer(next, send)
      return nil
    } catch {
      return error
    }
  }

  private func take() -> ListenRun? {
    atRest.withLock { run in
      defer { run = nil }
      return run
    }
  }

  private func put(_ run: ListenRun) {
    atRest.withLock { $0 = run }
  }

  /// Tells the commits that have come, or wakes the task. At the place of the outlet.
  func tellNow() {
    let isTold = atRest.withLock { run in
      guard let outlet else { return false }
      return run?.tellNow(through: outlet) ?? false
    }
    if !isTold { inbox.wake() }
  }
}
