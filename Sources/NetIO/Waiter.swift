internal import Synchronization

/// A place where tasks wait until something may have changed.
///
/// As with a condition variable, `wait` can return for no reason: look again and wait again. A signal that finds nobody is kept for
/// the next wait, so that none is lost between looking and waiting.
package final class Waiter: Sendable {
  private struct State {
    var isSignalled = false
    var first: CheckedContinuation<Void, Never>?
    var others: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  package init() {}

  /// Waits for a signal or for the cancellation of the task; the caller asks `Task.isCancelled`.
  package func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isSignalled = state.withLock { state in
          if state.isSignalled {
            state.isSignalled = false
            return true
          }
          if state.first == nil {
            state.first = continuation
          } else {
            state.others.append(continuation)
          }
          return false
        }
        if isSignalled { continuation.resume() }
      }
    } onCancel: {
      signal()
    }
  }

  /// Wakes all who wait; from any thread.
  package func signal() {
    let (first, others) = state.withLock { state in
      defer {
        state.first = nil
        state.others = []
      }
      if state.first == nil { state.isSignalled = true }
      return (state.first, state.others)
    }
    first?.resume()
    for other in others { other.resume() }
  }
}
