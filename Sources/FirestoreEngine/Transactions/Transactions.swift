internal import FirestoreModel
internal import Synchronization

/// The transactions of an engine, for callers on any thread: asks the table, and lets calls wait for what it decides.
///
/// No lock but that of the clock is taken while the table's is held.
final class Transactions: Sendable {
  typealias Ticket = TransactionTable.Ticket

  private struct State {
    var table: TransactionTable
    var continuations: [Ticket: CheckedContinuation<TransactionTable.Decision, Never>] = [:]
    /// Decisions that nobody has waited for yet.
    var decided: [Ticket: TransactionTable.Decision] = [:]
    /// Calls `advance` when the time has come.
    var alarm: (time: Duration, task: Task<Void, Never>)?
  }

  let settings: TransactionSettings
  private let state: Mutex<State>
  private let lockingCount = Atomic<Int>(0)
  private let now: @Sendable () -> Duration
  private let waitUntil: @Sendable (Duration) async throws -> Void

  init(_ settings: TransactionSettings, firstID: UInt64, clock: some Clock<Duration>) {
    self.settings = settings
    self.state = Mutex(State(table: TransactionTable(settings, firstID: firstID)))
    let zero = clock.now
    self.now = { zero.duration(to: clock.now) }
    self.waitUntil = { try await clock.sleep(until: zero.advanced(by: $0), tolerance: nil) }
  }

  /// Whether commits have to ask for locks. A transaction that begins behind a `false` sees every commit that had its version
  /// before.
  var hasLocks: Bool { lockingCount.load(ordering: .sequentiallyConsistent) > 0 }

  /// Runs `body` on the table, and wakes those that it decided about.
  func withTable<Result: Sendable>(
    _ body: (inout TransactionTable, _ now: Duration) throws(FirestoreError) -> Result
  ) throws(FirestoreError) -> Result {
    var woken:
      [(CheckedContinuation<TransactionTable.Decision, Never>, TransactionTable.Decision)] = []
    let result = state.withLock { state -> Swift.Result<Result, FirestoreError> in
      let now = now()
      state.table.advance(to: now)
      let result = Swift.Result { () throws(FirestoreError) in try body(&state.table, now) }
      for (ticket, decision) in state.table.takeDecisions() {
        if let continuation = state.continuations.removeValue(forKey: ticket) {
          woken.append((continuation, decision))
        } else {
          state.decided[ticket] = decision
        }
      }
      lockingCount.store(state.table.lockingCount, ordering: .sequentiallyConsistent)
      setAlarm(&state)
      return result
    }
    for (continuation, decision) in woken { continuation.resume(returning: decision) }
    return try result.get()
  }

  /// Returns when the request has what it asked for. A request must be waited for before it is finished.
  ///
  /// - Throws: `ABORTED` if its transaction was ended, `CANCELLED` if the task was cancelled while it waited.
  func wait(for ticket: Ticket) async throws(FirestoreError) {
    let decision = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let decision = state.withLock { state -> TransactionTable.Decision? in
          if let decision = state.decided.removeValue(forKey: ticket) { return decision }
          state.continuations[ticket] = continuation
          return nil
        }
        if let decision { continuation.resume(returning: decision) }
      }
    } onCancel: {
      try? withTable { (table, now) in table.cancel(ticket, at: now) }
    }
    switch decision {
    case .granted: return
    case .aborted: throw .contention
    case .cancelled: throw FirestoreError(.cancelled, "The request was cancelled.")
    }
  }

  /// A call in the transaction is over.
  func leave(_ id: TransactionID) {
    try? withTable { (table, now) in table.leave(id, at: now) }
  }

  /// Ends a write, and with it its transaction if there is one, whether it was made or not.
  func finish(_ ticket: Ticket, of transaction: TransactionID?, written: Set<DocumentName>) {
    try? withTable { (table, now) in
      table.finish(ticket, at: now)
      if let transaction { table.end(transaction, written: written, at: now) }
    }
    state.withLock { $0.decided[ticket] = nil }
  }

  /// The transaction that a client means.
  ///
  /// - Throws: `INVALID_ARGUMENT` for bytes that are no id.
  func id(_ bytes: [UInt8]) throws(FirestoreError) -> TransactionID {
    guard let id = TransactionID(bytes) else { throw .invalidTransaction }
    return id
  }

  private func setAlarm(_ state: inout State) {
    guard let time = state.table.nextDeadline else { return }
    if let alarm = state.alarm, alarm.time <= time { return }
    state.alarm?.task.cancel()
    // No caller is there to wait for a deadline. It ends by itself at its time, or is cancelled for an earlier one.
    let task = Task { [weak self, waitUntil] in
      do { try await waitUntil(time) } catch { return }
      self?.ring(at: time)
    }
    state.alarm = (time, task)
  }

  private func ring(at time: Duration) {
    state.withLock { state in
      if state.alarm?.time == time { state.alarm = nil }
    }
    try? withTable { (_, _) in }
  }
}
