package import FirestoreModel

/// What a stream without a task of its own needs of its surroundings.
package struct ListenAttendance: Sendable {
  let send: ListenStream.Send
  /// Runs a piece of work as a task, one at a time. Called from anywhere.
  let start: @Sendable (@escaping @Sendable () async -> Void) -> Void
  /// There is room for a request again.
  let hasRoom: @Sendable () -> Void
  /// The stream is over. The last call.
  let ended: @Sendable (FirestoreError?) -> Void

  package init(
    send: @escaping ListenStream.Send,
    start: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void,
    hasRoom: @escaping @Sendable () -> Void, ended: @escaping @Sendable (FirestoreError?) -> Void
  ) {
    self.send = send
    self.start = start
    self.hasRoom = hasRoom
    self.ended = ended
  }
}

/// Whether somebody is at work, so that nobody else begins and nothing that comes meanwhile is left.
struct WorkState {
  private enum State {
    case idle
    case atWork
    /// Something has come since the worker looked last.
    case wanted
  }

  private var state = State.idle

  /// Something has come: whether the caller is to start a worker.
  mutating func begin() -> Bool {
    switch state {
    case .idle:
      state = .atWork
      return true
    case .atWork, .wanted:
      state = .wanted
      return false
    }
  }

  /// The worker has found nothing: whether it may go.
  mutating func end() -> Bool {
    switch state {
    case .wanted:
      state = .atWork
      return false
    case .atWork, .idle:
      state = .idle
      return true
    }
  }
}
