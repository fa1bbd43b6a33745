internal import KeyValue
internal import SQLite
internal import Synchronization

/// The readers of a store. Snapshots take one of a bounded number of places and wait in line for
/// it; a read that ends within its call takes a reader at once.
final class ReaderPool: Sendable {
  private struct Waiter {
    let number: Int
    let continuation: CheckedContinuation<StoreError?, Never>
  }

  private struct State {
    var idle: [Reader] = []
    var placesTaken = 0
    /// First come, first served; not empty only while all places are taken.
    var waiters: [Waiter] = []
    var waiterNumber = 0
    /// Nil once the pool is closed.
    var folder: DataFolder?
  }

  private let limits: StoreLimits
  private let state: Mutex<State>
  /// Told when a reader comes back, because the log may be emptied now.
  private let returns: Doorbell

  init(_ folder: DataFolder, _ limits: StoreLimits, returns: Doorbell) {
    state = Mutex(State(folder: folder))
    self.limits = limits
    self.returns = returns
  }

  /// A reader for a call that gives it back before it returns.
  func take() throws(StoreError) -> Reader {
    let (idle, folder) = state.withLock { ($0.idle.popLast(), $0.folder) }
    guard let folder else { throw .storeClosed }
    return if let idle { idle } else { try Reader(folder) }
  }

  /// A reader to keep. Waits while all places are taken.
  ///
  /// - Throws: `.closed`; `.unavailable` if the task is cancelled while it waits.
  func takePlace() async throws(StoreError) -> Reader {
    if !takeFreePlace() { try await waitForPlace() }
    do {
      return try take()
    } catch {
      leavePlace()
      throw error
    }
  }

  /// Takes back a reader whose view has ended; `placed` says that it was taken with a place.
  func giveBack(_ reader: Reader, placed: Bool) {
    let surplus = state.withLock { state in
      guard state.folder != nil, state.idle.count < limits.idleReaders else {
        return reader as Reader?
      }
      state.idle.append(reader)
      return nil
    }
    surplus?.close()
    if placed { leavePlace() }
  }

  /// Closes the readers that nobody uses; the others are closed when they come back.
  func close() {
    let (idle, waiters) = state.withLock { state in
      defer {
        state.idle = []
        state.waiters = []
        state.folder = nil
      }
      return (state.idle, state.waiters)
    }
    for reader in idle { reader.close() }
    for waiter in waiters { waiter.continuation.resume(returning: .storeClosed) }
  }

  /// Frees a place, or hands it to the first in line.
  func leavePlace() {
    let next = state.withLock { state in
      guard !state.waiters.isEmpty else {
        state.placesTaken -= 1
        return nil as Waiter?
      }
      return state.waiters.removeFirst()
    }
    next?.continuation.resume(returning: nil)
    returns.ring()
  }

  private func takeFreePlace() -> Bool {
    state.withLock { state in
      guard state.placesTaken < limits.snapshots else { return false }
      state.placesTaken += 1
      return true
    }
  }

  private func waitForPlace() async throws(StoreError) {
    let number = state.withLock { state in
      state.waiterNumber += 1
      return state.waiterNumber
    }
    let error = await withTaskCancellationHandler {
      await withCheckedContinuation { wait($0, number) }
    } onCancel: {
      cancel(number)
    }
    if let error { throw error }
  }

  private func wait(_ continuation: CheckedContinuation<StoreError?, Never>, _ number: Int) {
    enum Outcome { case granted, closed, cancelled, waiting }
    let outcome = state.withLock { state in
      if state.folder == nil { return Outcome.closed }
      if state.placesTaken < limits.snapshots {
        state.placesTaken += 1
        return .granted
      }
      // Asked under the lock: a later cancellation finds the waiter in line.
      if Task.isCancelled { return .cancelled }
      state.waiters.append(Waiter(number: number, continuation: continuation))
      return .waiting
    }
    switch outcome {
    case .granted: continuation.resume(returning: nil)
    case .closed: continuation.resume(returning: .storeClosed)
    case .cancelled: continuation.resume(returning: Self.waitCancelled)
    case .waiting: break
    }
  }

  private func cancel(_ number: Int) {
    let waiter = state.withLock { state in
      state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
    }
    waiter?.continuation.resume(returning: Self.waitCancelled)
  }

  private static let waitCancelled = StoreError(
    .unavailable, "The wait for a snapshot was cancelled.")
}
