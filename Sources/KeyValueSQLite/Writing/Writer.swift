internal import KeyValue
internal import SQLite

/// The one writer of a store: runs on its thread and writes what comes in, group by group.
struct Writer {
  enum Message: Sendable {
    case write(any PendingWrite)
    /// The checkpointer made a pass, or failed.
    case moved(Connection.Checkpoint?)
  }

  private let session: Session
  private let limits: StoreLimits
  private let checkpointer: Checkpointer
  private let moves: MoveSignal
  private let returns: Doorbell
  private let recent: RecentValues
  /// The newest commit.
  private var version: Int64
  /// Pages in the log when the checkpointer was last asked.
  private var pagesAtRequest = 0
  /// Pages in the log up to which a reader has been waited for in vain.
  private var pagesAllowed: Int

  init(
    _ session: Session, _ limits: StoreLimits, _ checkpointer: Checkpointer, _ moves: MoveSignal,
    returns: Doorbell, _ recent: RecentValues
  ) throws(SQLiteError) {
    self.session = session
    self.limits = limits
    self.checkpointer = checkpointer
    self.moves = moves
    self.returns = returns
    self.recent = recent
    version = try session.version()
    pagesAllowed = limits.logBytes / Schema.pageBytes
  }

  /// Begins the log, which waits for the disk once, so that the first write does not have to. A failure is left for that write
  /// to find.
  func warmUp() {
    do {
      try session.run(.beginWrite)
      // A page that gets what it has is not written.
      try session.setVersion(version + 1)
      try session.setVersion(version)
      try session.run(.commit)
    } catch {
      undo()
    }
  }

  /// Writes until the mailbox is closed and empty.
  mutating func run(_ mailbox: Mailbox<Message>) {
    while let messages = mailbox.receive() {
      var writes: [any PendingWrite] = []
      for message in messages {
        switch message {
        case .write(let write): writes.append(write)
        case .moved(let left):
          if let left { restartLog(left) }
          moves.ended()
        }
      }
      var rest = writes[...]
      while !rest.isEmpty {
        boundLog()
        rest = rest.dropFirst(commit(rest))
        requestCheckpoint()
      }
    }
  }

  // MARK: Groups

  /// What became of a write while its group is not in yet.
  private enum Outcome {
    case kept
    case dropped(any Error)
  }

  /// Writes the first of `writes` as one group; returns how many they were. A group that fails, or
  /// in which a body threw after it had changed something, is tried again one write at a time, on a
  /// full disk with the room that the log had.
  private mutating func commit(
    _ writes: ArraySlice<any PendingWrite>, isRetry: Bool = false
  ) -> Int {
    var outcomes: [Outcome] = []
    do {
      let newVersion = try runGroup(writes, &outcomes)
      version = newVersion
    } catch {
      undo()
      let failed = writes.prefix(outcomes.count + 1)
      let hasRoom = !isRetry && error.code == .full && emptyLog(.truncate) == .emptied
      if isRetry || (failed.count == 1 && !hasRoom) {
        failed.first?.fail(error)
      } else {
        for index in failed.indices { _ = commit(failed[index...index], isRetry: true) }
      }
      return failed.count
    }
    for (write, outcome) in zip(writes, outcomes) {
      if case .kept = outcome { write.applied() }
    }
    for (write, outcome) in zip(writes, outcomes) {
      switch outcome {
      case .kept: write.succeed()
      case .dropped(let error): write.fail(error)
      }
    }
    return outcomes.count
  }

  /// Runs writes in one transaction until there are no more or they have put enough; returns the
  /// version after the last.
  private func runGroup(
    _ writes: ArraySlice<any PendingWrite>, _ outcomes: inout [Outcome]
  ) throws(StoreError) -> Int64 {
    var version = version
    var bytes = 0
    var changed = RecentValues.Places()
    do {
      try session.run(.beginWrite)
      for write in writes {
        let transaction = SQLiteTransaction(session, version: version)
        let outcome = Result { try write.run(transaction) }
        if let failure = transaction.failure { throw failure }
        switch outcome {
        case .success:
          version = transaction.newVersion
          bytes += transaction.bytes
          changed.formUnion(transaction.changed)
          outcomes.append(.kept)
        case .failure(let error):
          // Savepoints would cost each write of each group a copy of the pages that it changes.
          if transaction.hasChanged {
            guard outcomes.isEmpty else { throw Self.undone }
            try session.run(.rollback)
            outcomes.append(.dropped(error))
            return version
          }
          outcomes.append(.dropped(error))
        }
        if bytes > limits.groupBytes { break }
      }
      if version != self.version { try session.setVersion(version) }
      try recent.changing(changed) { () throws(SQLiteError) in try commitGroup() }
      return version
    } catch let error as SQLiteError {
      throw StoreError(error)
    } catch let error as StoreError {
      throw error
    } catch {
      preconditionFailure("a group failed with \(error)")
    }
  }

  /// Ends a group that can't be kept because one of its bodies threw.
  private static let undone = StoreError(.unavailable, "The group is tried again.")

  /// Commits all that the group put, or none of it.
  private func commitGroup() throws(SQLiteError) {
    do {
      try session.run(.commit)
    } catch {
      undo()
      throw error
    }
  }

  private func undo() {
    // Where SQLite has rolled back by itself there is nothing left to do.
    if session.connection.isInTransaction { try? session.run(.rollback) }
  }

  // MARK: Log

  private mutating func requestCheckpoint() {
    let pages = session.connection.logPages
    if pages < pagesAtRequest { pagesAtRequest = 0 }
    guard pages - pagesAtRequest >= limits.checkpointBytes / Schema.pageBytes else { return }
    pagesAtRequest = pages
    moves.began()
    checkpointer.request()
  }

  /// Starts a long log anew of which nearly everything has been moved, if no reader needs it: SQLite
  /// does so by itself only when a pass ends while nobody writes. The file keeps its size, since it is
  /// dearer to make it grow again.
  private mutating func restartLog(_ left: Connection.Checkpoint) {
    let pages = session.connection.logPages
    guard pages >= limits.emptyLogBytes / Schema.pageBytes,
      pages - left.movedPages <= limits.lastMoveBytes / Schema.pageBytes
    else { return }
    if emptyLog(.restart) == .emptied { warmUp() }
  }

  /// Holds the writes back while the log is as long as it may get and a reader keeps it from being
  /// emptied.
  private mutating func boundLog() {
    let pages = session.connection.logPages
    guard pages >= pagesAllowed else { return }
    let clock = ContinuousClock()
    let end = clock.now + limits.logWait
    var outcome = emptyLog(.truncate)
    while outcome == .busy, clock.now < end {
      returns.wait(milliseconds: 20)
      outcome = emptyLog(.truncate)
    }
    if outcome == .emptied { return }
    pagesAllowed = pages + limits.emptyLogBytes / Schema.pageBytes
  }

  private enum Emptying {
    case emptied
    case busy
    case failed
  }

  private mutating func emptyLog(_ mode: Connection.CheckpointMode) -> Emptying {
    do {
      _ = try session.connection.checkpoint(mode)
      pagesAtRequest = 0
      pagesAllowed = limits.logBytes / Schema.pageBytes
      return .emptied
    } catch {
      return error.code == .busy ? .busy : .failed
    }
  }
}
