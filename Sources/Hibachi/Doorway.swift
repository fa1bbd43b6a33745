internal import HTTPServer
internal import Synchronization

/// Lets requests wait while the store is being opened, so that the port accepts from the first moment.
final class Doorway: HTTPHandler {
  private enum State {
    case opening([CheckedContinuation<(any HTTPHandler)?, Never>])
    case open(any HTTPHandler)
    /// The store cannot be opened.
    case shut
  }

  private let state = Mutex(State.opening([]))

  /// Lets all in, those that wait first.
  func open(_ door: any HTTPHandler) {
    end(.open(door), door)
  }

  /// Refuses all.
  func shut() {
    end(.shut, nil)
  }

  func handle(_ exchange: HTTPExchange) async {
    if let door = await door() {
      await door.handle(exchange)
    } else {
      // An error here means that the peer is gone: nobody is left to tell.
      try? await exchange.response.respond(503, text: "The database is not open.\n")
    }
  }

  private func door() async -> (any HTTPHandler)? {
    if case .open(let door) = state.withLock({ $0 }) { return door }
    return await withCheckedContinuation { continuation in
      let door: (any HTTPHandler)?? = state.withLock { state in
        switch state {
        case .opening(let waiting):
          state = .opening(waiting + [continuation])
          return nil
        case .open(let door): return .some(door)
        case .shut: return .some(nil)
        }
      }
      if let door { continuation.resume(returning: door) }
    }
  }

  private func end(_ new: State, _ door: (any HTTPHandler)?) {
    let waiting = state.withLock { state -> [CheckedContinuation<(any HTTPHandler)?, Never>] in
      defer { state = new }
      guard case .opening(let waiting) = state else { return [] }
      return waiting
    }
    for continuation in waiting { continuation.resume(returning: door) }
  }
}
