internal import Synchronization

/// A resumable upload as this process has it. Of several requests that send bytes, the last to come goes on; those before it stop
/// at their next piece.
final class UploadSession: Sendable {
  struct State: Sendable {
    var upload: ResumableUpload
    /// Unknown after a restart: the file has to be read again.
    var progress: BlobProgress?
    /// Grows with each request that may write.
    var turn: UInt64 = 0
    /// Whether a piece is being written.
    var isWriting = false
    fileprivate var version: UInt64 = 0
    fileprivate var waiting: [CheckedContinuation<Void, Never>] = []
  }

  let blob: BlobID
  let request: UploadRequest
  let started: Int64
  private let state: Mutex<State>

  init(_ blob: BlobID, _ request: UploadRequest, _ upload: ResumableUpload, started: Int64) {
    self.blob = blob
    self.request = request
    self.started = started
    state = Mutex(State(upload: upload))
  }

  var upload: ResumableUpload { state.withLock { $0.upload } }

  /// Asks `body` again after every change until it decides. What it changes on the way is kept.
  func decide<Decision: Sendable>(_ body: (inout State) -> Decision?) async -> Decision {
    while true {
      let (decision, version) = state.withLock { (body(&$0), $0.version) }
      if let decision { return decision }
      await withCheckedContinuation { continuation in
        let hasChanged = state.withLock { state in
          if state.version == version { state.waiting.append(continuation) }
          return state.version != version
        }
        if hasChanged { continuation.resume() }
      }
    }
  }

  /// Changes the state, and lets those look again who wait.
  func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    let (result, waiting) = state.withLock { state in
      let result = body(&state)
      state.version += 1
      defer { state.waiting = [] }
      return (result, state.waiting)
    }
    for continuation in waiting { continuation.resume() }
    return result
  }
}
