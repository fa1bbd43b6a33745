/// The state of an upload that comes in several requests; no clock, file or store here.
///
/// Firebase's clients know three states: active, final, cancelled. Between active and final lies the commit, during which nothing
/// else may happen to the upload.
struct ResumableUpload: Hashable, Sendable {
  /// How an upload ended.
  enum Outcome: Hashable, Sendable {
    case committed(Object)
    case refused(StorageError)
  }

  enum Phase: Hashable, Sendable {
    case active
    case finishing
    case final(Outcome)
    case cancelled
  }

  enum AppendAction: Hashable, Sendable {
    /// Takes the bytes behind the first `skipping`, which are here already.
    case take(skipping: Int64)
    /// The bytes are not the next ones.
    case refuseGap
    /// The upload has ended, or is about to.
    case refuse
    /// A last chunk comes again: the answer is that of the first time.
    case repeatOutcome(Outcome)
    /// Look again when the commit is over.
    case wait
  }

  enum FinishAction: Hashable, Sendable {
    case commit
    /// The size is not the announced one.
    case refuseSize
    case repeatOutcome(Outcome)
    case refuse
    case wait
  }

  enum CancelAction: Hashable, Sendable {
    /// The bytes are to be dropped.
    case drop
    case nothing
    case refuse
    case wait
  }

  private(set) var phase = Phase.active
  /// How many bytes are here.
  private(set) var received: Int64
  /// What the start said that the size would be.
  let announcedSize: Int64?

  init(received: Int64 = 0, announcedSize: Int64? = nil, phase: Phase = .active) {
    self.received = received
    self.announcedSize = announcedSize
    self.phase = phase
  }

  /// A request with bytes begins. Without an offset they are taken to be the next ones.
  func append(at offset: Int64?, isLast: Bool) -> AppendAction {
    switch phase {
    case .active:
      let offset = offset ?? received
      guard 0...received ~= offset else { return .refuseGap }
      return .take(skipping: received - offset)
    case .finishing: return .wait
    case .final(let outcome): return isLast ? .repeatOutcome(outcome) : .refuse
    case .cancelled: return .refuse
    }
  }

  /// The upload has `received` bytes now.
  mutating func wrote(_ received: Int64) {
    self.received = received
  }

  /// All bytes are said to be here.
  mutating func finish() -> FinishAction {
    switch phase {
    case .active:
      if let announcedSize, announcedSize > 0, announcedSize != received { return .refuseSize }
      phase = .finishing
      return .commit
    case .finishing: return .wait
    case .final(let outcome): return .repeatOutcome(outcome)
    case .cancelled: return .refuse
    }
  }

  /// The commit is over.
  mutating func ended(_ outcome: Outcome) {
    phase = .final(outcome)
  }

  /// The commit could not be tried: the upload goes on as if it had not been asked for.
  mutating func reopen() {
    if phase == .finishing { phase = .active }
  }

  mutating func cancel() -> CancelAction {
    switch phase {
    case .active:
      phase = .cancelled
      return .drop
    case .finishing: return .wait
    case .final: return .refuse
    case .cancelled: return .nothing
    }
  }
}
