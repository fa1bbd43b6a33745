internal import Synchronization

/// The one clock of a server: it gives commits their versions and reads their times, in microseconds since 1970.
///
/// A version is above every version and every read time given out before. A read time is below every version that was
/// given out and whose commit can't be seen yet. It never goes back.
final class VersionClock: Sendable {
  /// Names a commit from its first attempt to its end.
  struct Ticket: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  enum Acceptance {
    case ready
    /// A commit with a version up to the time is being written.
    case afterPendingCommits
    case inFuture
  }

  private struct State {
    var last: Int64
    /// The newest version of a commit.
    var newestCommit: Int64
    /// The versions of commits that can't be seen yet, ascending.
    var pending: [(ticket: Ticket, version: Int64)] = []
    var tickets: UInt64 = 0
  }

  private let state: Mutex<State>
  private let now: @Sendable () -> Int64

  /// `last` is the newest version ever used; `now` reads the time of day in microseconds.
  init(last: Int64, now: @escaping @Sendable () -> Int64) {
    self.state = Mutex(State(last: last, newestCommit: last))
    self.now = now
  }

  /// The time of day, which may go back.
  var timeOfDay: Int64 { now() }

  func ticket() -> Ticket {
    state.withLock { state in
      state.tickets += 1
      return Ticket(number: state.tickets)
    }
  }

  /// The version of a commit; a commit that is tried again gets another one.
  func version(for ticket: Ticket, above newest: Int64) -> Int64 {
    let now = now()
    return state.withLock { state in
      let version = max(now, state.last + 1, newest + 1)
      state.last = version
      state.newestCommit = version
      state.pending.removeAll { $0.ticket == ticket }
      state.pending.append((ticket, version))
      return version
    }
  }

  /// The commit can be seen, or has failed.
  func end(_ ticket: Ticket) {
    state.withLock { state in
      guard let index = state.pending.firstIndex(where: { $0.ticket == ticket }) else { return }
      state.pending.remove(at: index)
    }
  }

  /// A time for a read of the newest state. Take it first and the view of the store then; if the view holds a newer
  /// commit, that commit's version is the read time.
  func readTime() -> Int64 {
    let now = now()
    return state.withLock { state in
      if let first = state.pending.first { return first.version - 1 }
      state.last = max(now, state.last)
      return state.last
    }
  }

  /// The newest version or read time that was given out.
  var newest: Int64 { state.withLock { $0.last } }

  /// Whether a version behind `time` was given to a commit, which may be seen already.
  func hasCommits(behind time: Int64) -> Bool {
    state.withLock { $0.newestCommit > time }
  }

  /// Whether a commit with a version up to `version` can't be seen yet.
  func isPending(upTo version: Int64) -> Bool {
    state.withLock { $0.pending.first.map { $0.version <= version } ?? false }
  }

  /// Takes a read time from outside.
  func accept(_ time: Int64) -> Acceptance {
    let now = now()
    return state.withLock { state in
      guard time <= max(now, state.last) else { return .inFuture }
      state.last = max(state.last, time)
      guard let first = state.pending.first, first.version <= time else { return .ready }
      return .afterPendingCommits
    }
  }
}
