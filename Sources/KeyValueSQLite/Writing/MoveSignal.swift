internal import Synchronization

/// Says when the pages that wait in the log are being moved into the database file.
final class MoveSignal: Sendable {
  private struct State {
    var isMoving = false
    var isClosed = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// The checkpointer was asked to move them.
  func began() {
    state.withLock { $0.isMoving = !$0.isClosed }
  }

  /// It has made a pass, or has failed.
  func ended() {
    end(isClosed: false)
  }

  /// Nothing is moved any more.
  func close() {
    end(isClosed: true)
  }

  /// Waits for the end of the pass that was asked for last, if there is one.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isMoving = state.withLock { state in
        if state.isMoving { state.waiters.append(continuation) }
        return state.isMoving
      }
      if !isMoving { continuation.resume() }
    }
  }

  private func end(isClosed: Bool) {
    let waiters = state.withLock { state in
      defer { state = State(isClosed: state.isClosed || isClosed) }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }
}
