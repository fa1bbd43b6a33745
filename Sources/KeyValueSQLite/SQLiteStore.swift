package import KeyValue
internal import SQLite
internal import Synchronization

/// An `OrderedStore` in a data folder, on SQLite.
///
/// Writes run on a thread of the store, in groups; reads run on the threads of their callers. A
/// snapshot that is open when the store is closed stays readable, and the folder stays locked
/// until it is closed too.
package final class SQLiteStore: OrderedStore {
  private let writes: Mailbox<Writer.Message>
  private let readers: ReaderPool
  private let recent: RecentValues
  private let moves: MoveSignal
  private let end: Completion

  /// Opens the store in `folder`, which is created if it is missing.
  ///
  /// The work is done on the store's own thread, so a server can listen first and open after.
  ///
  /// - Throws: `.inUse` while another server has the folder, `.newerFormat`, `.full`,
  ///   `.unavailable`.
  package static func open(
    folder: String, durability: Durability
  ) async throws(StoreError) -> SQLiteStore {
    try await open(folder: folder, durability: durability, limits: StoreLimits())
  }

  static func open(
    folder: String, durability: Durability, limits: StoreLimits
  ) async throws(StoreError) -> SQLiteStore {
    let opened: Result<SQLiteStore, StoreError> = await withCheckedContinuation { continuation in
      let started = startThread { runStore(folder, durability, limits, continuation) }
      if !started {
        let error = StoreError(.unavailable, "The system has no thread to give.")
        continuation.resume(returning: .failure(error))
      }
    }
    return try opened.get()
  }

  fileprivate init(
    _ writes: Mailbox<Writer.Message>, _ readers: ReaderPool, _ recent: RecentValues,
    _ moves: MoveSignal, _ end: Completion
  ) {
    self.writes = writes
    self.readers = readers
    self.recent = recent
    self.moves = moves
    self.end = end
  }

  deinit {
    writes.close()
  }

  package func write<Result: Sendable>(
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Result,
    applied: @escaping @Sendable (Result) -> Void
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let write = Write(body, applied, continuation)
      if !writes.send(.write(write)) { write.fail(StoreError.storeClosed) }
    }
  }

  package func read<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result {
    let reader = try readers.take()
    defer { readers.giveBack(reader, placed: false) }
    let view = try reader.begin()
    defer { _ = reader.end(view.loan) }
    return try body(view)
  }

  package func get(_ space: Space, _ key: [UInt8]) throws(StoreError) -> [UInt8]? {
    try recent.value(space, key) { () throws(StoreError) in
      let reader = try readers.take()
      defer { readers.giveBack(reader, placed: false) }
      return try reader.get(space, key)
    }
  }

  package func snapshot() async throws(StoreError) -> any StoreSnapshot {
    let reader = try await readers.takePlace()
    do {
      return try SQLiteSnapshot(reader, readers)
    } catch {
      readers.giveBack(reader, placed: true)
      throw error
    }
  }

  package func settle() async {
    await moves.wait()
  }

  package func close() async {
    writes.close()
    await end.wait()
  }
}

/// The life of a store, on its thread.
private func runStore(
  _ path: String, _ durability: Durability, _ limits: StoreLimits,
  _ opened: CheckedContinuation<Result<SQLiteStore, StoreError>, Never>
) {
  let writes = Mailbox<Writer.Message>()
  let returns = Doorbell()
  let moves = MoveSignal()
  let end = Completion()
  do {
    let folder = try DataFolder(path)
    let session = try Schema.open(folder, durability, limits)
    let readers = ReaderPool(folder, limits, returns: returns)
    let recent = RecentValues()
    let checkpointer = try Checkpointer(folder.database, limits) { _ = writes.send(.moved($0)) }
    defer {
      moves.close()
      checkpointer.stop()
      // Before the readers: a closed store has no values.
      recent.close()
      readers.close()
    }
    var writer = try Writer(session, limits, checkpointer, moves, returns: returns, recent)
    opened.resume(returning: .success(SQLiteStore(writes, readers, recent, moves, end)))
    writer.warmUp()
    writer.run(writes)
  } catch let error as StoreError {
    opened.resume(returning: .failure(error))
  } catch let error as SQLiteError {
    opened.resume(returning: .failure(StoreError(error)))
  } catch {
    preconditionFailure("a store can't be opened: \(error)")
  }
  end.finish()
}
