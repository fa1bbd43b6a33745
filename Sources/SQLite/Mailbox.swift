internal import Synchronization

/// What other threads send to one thread that blocks until something comes.
package final class Mailbox<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let bell = Doorbell()

  package init() {}

  /// Adds `element`; false, and nothing happens, after `close()`.
  package func send(_ element: Element) -> Bool {
    let (isSent, isFirst) = state.withLock { state in
      guard !state.isClosed else { return (false, false) }
      state.elements.append(element)
      return (true, state.elements.count == 1)
    }
    if isFirst { bell.ring() }
    return isSent
  }

  /// Takes nothing more; what was sent before can still be received.
  package func close() {
    state.withLock { $0.isClosed = true }
    bell.ring()
  }

  /// Blocks until something was sent and takes all of it; nil if the mailbox is closed and empty.
  ///
  /// For one thread only, which may call it again after nil.
  package func receive() -> [Element]? {
    while true {
      var taken: [Element] = []
      let isClosed = state.withLock { state in
        swap(&taken, &state.elements)
        return state.isClosed
      }
      if !taken.isEmpty { return taken }
      if isClosed { return nil }
      bell.wait()
    }
  }
}
