package import FirestoreModel
internal import KeyValue
internal import Synchronization

// What is deleted when nobody waits for it: the keys of cleared databases, and history beyond the retention. Every step is a
// write that ends soon, so that commits get in between.

extension Engine {
  /// Entries that a step deletes or reads at most.
  private static let step = 256
  /// Entries that are deleted at once.
  private static let portion = 16
  /// How long a step goes on deleting; putting it into the store takes as long again at most.
  private static let stepMicroseconds: Int64 = 2_000

  /// Deletes what is no longer needed until it is cancelled, every `interval` while there is history. `failed` is told of what
  /// went wrong; it is tried again.
  package func run(
    every interval: Duration = .seconds(5), clock: some Clock<Duration>,
    failed: (FirestoreError) -> Void
  ) async {
    while !Task.isCancelled {
      do throws(FirestoreError) {
        guard try await tidy() else {
          await upkeep.wait()
          continue
        }
      } catch {
        failed(error)
      }
      do {
        try await clock.sleep(for: interval)
      } catch {
        return
      }
    }
  }

  /// Deletes what is no longer needed; returns whether history remains.
  package func tidy() async throws(FirestoreError) -> Bool {
    try await countHistory()
    try await deleteAbandoned()
    try await trimByTime()
    try await trimByBytes()
    return state.withLock { $0.historyBytes.values.contains { $0 > 0 } }
  }

  // MARK: - Cleared databases

  private func deleteAbandoned() async throws(FirestoreError) {
    while let number = state.withLock({ $0.abandoned.first }) {
      let range = KeyRange(prefix: StorageKey.database(number))
      for space in Keys.numberedSpaces {
        var isDone = false
        while !isDone {
          isDone = try await step { [clock] transaction in
            let end = clock.timeOfDay + Self.stepMicroseconds
            var deleted = 0
            repeat {
              guard try transaction.delete(space, range, limit: Self.portion) == Self.portion else {
                return true
              }
              deleted += Self.portion
            } while deleted < Self.step && clock.timeOfDay < end
            return false
          }
        }
      }
      try await step { transaction in
        try transaction.delete(.databases, Keys.abandoned(number))
      }
      state.withLock { state in state.abandoned.removeAll { $0 == number } }
    }
  }

  // MARK: - History

  /// Counts the bytes of the history that was there at the start.
  private func countHistory() async throws(FirestoreError) {
    while let number = state.withLock({ $0.uncounted.last }) {
      var range: KeyRange? = KeyRange(
        from: StorageKey.database(number), to: Keys.changes(number, from: firstVersion + 1))
      var bytes = 0
      while let part = range {
        range = try read { reader in
          let pairs = try reader.scan(.changes, part, .ascending, limit: Self.step)
          for pair in pairs { bytes += try ChangeEntry(pair).historyBytes }
          guard pairs.count == Self.step, let last = pairs.last else { return nil }
          return KeyRange(from: KeyPrefix.next(after: last.key), to: part.upper)
        }
        await Task.yield()
      }
      state.withLock { [bytes] state in
        state.uncounted.removeAll { $0 == number }
        guard state.databases.values.contains(where: { $0.number == number }) else { return }
        state.historyBytes[number, default: 0] += bytes
      }
    }
  }

  private func trimByTime() async throws(FirestoreError) {
    let cutoff = max(0, clock.timeOfDay - retention.microseconds)
    for (name, record) in state.withLock({ $0.databases }) {
      let range = KeyRange(
        from: StorageKey.database(record.number), to: Keys.changes(record.number, from: cutoff))
      var isDone = false
      while !isDone {
        isDone = try read { try $0.scan(.changes, range, .ascending, limit: 1).isEmpty }
        if !isDone { try await trim(name, record.number, range) }
      }
    }
  }

  private func trimByBytes() async throws(FirestoreError) {
    while state.withLock({ $0.historyBytes.values.reduce(0, +) }) > retention.bytes {
      var oldest: (name: DatabaseName, number: DatabaseNumber, version: Int64)?
      for (name, record) in state.withLock({ $0.databases }) {
        let range = KeyRange(prefix: StorageKey.database(record.number))
        let first = try read { reader in
          try reader.scan(.changes, range, .ascending, limit: 1).first.map(ChangeEntry.init)
        }
        guard let first, first.version < oldest?.version ?? .max else { continue }
        oldest = (name, record.number, first.version)
      }
      guard let oldest else { return }
      try await trim(
        oldest.name, oldest.number, KeyRange(prefix: StorageKey.database(oldest.number)))
    }
  }

  /// Deletes the oldest changes of `range`, one step of them.
  private func trim(
    _ name: DatabaseName, _ number: DatabaseNumber, _ range: KeyRange
  ) async throws(FirestoreError) {
    try await step { [clock] transaction -> (horizon: Int64, bytes: Int)? in
      guard var record = try transaction.record(of: name), record.number == number else {
        return nil
      }
      let end = clock.timeOfDay + Self.stepMicroseconds
      var bytes = 0
      for pair in try transaction.scan(.changes, range, .ascending, limit: Self.step) {
        guard bytes == 0 || clock.timeOfDay < end else { break }
        let entry = try ChangeEntry(pair)
        try transaction.delete(
          .history, Keys.history(entry.documentKey, version: entry.version))
        try transaction.delete(.changes, entry.key)
        bytes += entry.historyBytes
        record.horizon = max(record.horizon, entry.version)
      }
      try transaction.put(.databases, Keys.database(name), record.encoded)
      return (record.horizon, bytes)
    } applied: { [self] trimmed in
      guard let trimmed else { return }
      state.withLock { state in
        state.databases[name]?.horizon = trimmed.horizon
        state.historyBytes[number, default: 0] -= trimmed.bytes
      }
    }
  }

  // MARK: - Steps

  /// A write that makes no commit.
  @discardableResult
  private func step<Result: Sendable>(
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Result,
    applied: @escaping @Sendable (Result) -> Void = { _ in }
  ) async throws(FirestoreError) -> Result {
    do {
      await store.settle()
      return try await store.write(body, applied: applied)
    } catch {
      throw FirestoreError(thrown: error)
    }
  }

  private func read<Result>(
    _ body: (any StoreReader) throws -> Result
  ) throws(FirestoreError) -> Result {
    do {
      return try store.read(body)
    } catch {
      throw FirestoreError(thrown: error)
    }
  }
}
