private import CSQLite

/// An open database file; unique owner of one `sqlite3`.
///
/// SQLite's own locks are off: one thread at a time may use a connection and the statements
/// prepared on it. No commit moves pages out of the write-ahead log by itself.
@safe package struct Connection: ~Copyable {
  package enum CheckpointMode: Sendable {
    /// Moves what no reader needs, waiting for nobody.
    case passive
    /// Moves everything, and lets the next commit begin the log anew in the same file; `.busy` if another connection is in the
    /// way.
    case restart
    /// Moves everything and empties the log; `.busy` if another connection is in the way.
    case truncate
  }

  /// What a checkpoint left: pages in the log, and how many of them are in the database file.
  package struct Checkpoint: Hashable, Sendable {
    package var logPages: Int
    package var movedPages: Int
  }

  /// Whether SQLite counts the memory that it uses; asked before anything else is done with it.
  private static let countsMemory = hibachi_count_no_memory() != SQLITE_OK

  private let handle: OpaquePointer
  /// Written by the log hook, on the thread that commits.
  private let newestLogPages: UnsafeMutablePointer<Int32>

  /// Opens the file at `path`, and creates it if it is missing.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - exclusive: whether no other process may open the file meanwhile. Several connections of
  ///     this process may, and they coordinate in memory instead of through the file system.
  ///   - busyMilliseconds: how long to wait for a lock before `.busy`.
  /// - Throws: `.inputOutput`, `.corrupt`, `.busy`.
  package init(
    path: String, exclusive: Bool, busyMilliseconds: Int32 = 0
  ) throws(SQLiteError) {
    _ = Self.countsMemory
    var opened: OpaquePointer?
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = unsafe sqlite3_open_v2(path, &opened, flags, exclusive ? "unix-excl" : nil)
    guard let handle = unsafe opened else { throw SQLiteError(SQLITE_NOMEM, "out of memory") }
    guard code == SQLITE_OK else {
      let error = unsafe SQLiteError(code, String(cString: sqlite3_errmsg(handle)))
      unsafe sqlite3_close_v2(handle)
      throw error
    }
    unsafe self.handle = handle
    unsafe newestLogPages = .allocate(capacity: 1)
    unsafe newestLogPages.initialize(to: 0)
    unsafe sqlite3_busy_timeout(handle, busyMilliseconds)
    // In place of SQLite's own hook, which would make a checkpoint.
    _ = unsafe sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        unsafe context?.assumingMemoryBound(to: Int32.self).pointee = pages
        return SQLITE_OK
      }, newestLogPages)
  }

  deinit {
    // Statements that are still there keep the handle alive until the last of them is gone.
    unsafe sqlite3_close_v2(handle)
    unsafe newestLogPages.deallocate()
  }

  /// The pages in the write-ahead log after this connection's newest commit.
  package var logPages: Int { unsafe Int(newestLogPages.pointee) }

  /// Whether a transaction is open. SQLite ends it by itself on some errors.
  package var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

  /// The rows that the newest statement inserted, changed or deleted.
  package var changes: Int { unsafe Int(sqlite3_changes64(handle)) }

  /// Runs statements without parameters and drops their rows.
  package borrowing func execute(_ sql: String) throws(SQLiteError) {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Prepares one statement that will be used many times.
  package borrowing func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    var prepared: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let statement = unsafe prepared else { throw failure(code) }
    return unsafe Statement(statement)
  }

  /// Moves pages from the write-ahead log into the database file.
  ///
  /// - Throws: `.busy` if another checkpoint runs, or if a reader or a writer is in the way of
  ///   `.restart` or `.truncate`; what could be moved is moved.
  package borrowing func checkpoint(_ mode: CheckpointMode) throws(SQLiteError) -> Checkpoint {
    // A connection that has not read yet has no log open, and the call below would do nothing.
    try execute("PRAGMA schema_version")
    var (logPages, movedPages): (Int32, Int32) = (0, 0)
    let flag =
      switch mode {
      case .passive: SQLITE_CHECKPOINT_PASSIVE
      case .restart: SQLITE_CHECKPOINT_RESTART
      case .truncate: SQLITE_CHECKPOINT_TRUNCATE
      }
    let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, flag, &logPages, &movedPages)
    guard code == SQLITE_OK else { throw failure(code) }
    if mode != .passive { unsafe newestLogPages.pointee = 0 }
    return Checkpoint(logPages: Int(logPages), movedPages: Int(movedPages))
  }

  private borrowing func failure(_ code: Int32) -> SQLiteError {
    unsafe SQLiteError(code, String(cString: sqlite3_errmsg(handle)))
  }
}
