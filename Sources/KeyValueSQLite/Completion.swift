internal import Synchronization

/// Something that happens once and that any number of tasks can wait for.
final class Completion: Sendable {
  private struct State {
    var isFinished = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func finish() {
    let waiters = state.withLock { state in
      defer { state = State(isFinished: true) }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isFinished = state.withLock { state in
        if !state.isFinished { state.waiters.append(continuation) }
        return state.isFinished
      }
      if isFinished { continuation.resume() }
    }
  }
}
