internal import Synchronization

/// Lets one task wait until something may have changed. A signal that finds nobody is kept for the next wait.
final class Signal: Sendable {
  private struct State {
    var isSet = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  /// Waits for a signal or for the cancellation of the task.
  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isSet = state.withLock { state in
          defer { state.isSet = false }
          if !state.isSet { state.waiting = continuation }
          return state.isSet
        }
        if isSet { continuation.resume() }
      }
    } onCancel: {
      set()
    }
  }

  func set() {
    let waiting = state.withLock { state in
      let waiting = state.waiting
      state.waiting = nil
      if waiting == nil { state.isSet = true }
      return waiting
    }
    waiting?.resume()
  }
}
