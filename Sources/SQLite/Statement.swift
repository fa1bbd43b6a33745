private import CSQLite

/// A prepared statement; unique owner of one `sqlite3_stmt`.
///
/// Parameters are numbered from 1 and columns from 0, as in C. A number outside of the statement's
/// is a mistake of the caller and traps.
@usableFromInline
@safe package struct Statement: ~Copyable {
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) {
    unsafe self.handle = handle
  }

  deinit {
    unsafe sqlite3_finalize(handle)
  }

  /// Lends `body` the statement with blobs bound to the parameters from 1 on, without copying them; an empty one is a blob
  /// too, not null. When it ends, the statement is reset, and nothing is bound any more.
  @inlinable
  package mutating func lend<R>(
    with first: [UInt8], _ body: (inout Statement) throws(SQLiteError) -> R
  ) throws(SQLiteError) -> R {
    try unsafe first.withUnsafeBufferPointer { (bytes) throws(SQLiteError) in
      defer { reset() }
      try unsafe bind(1, bytes)
      return try body(&self)
    }
  }

  /// The same with a second blob.
  @inlinable
  package mutating func lend<R>(
    with first: [UInt8], _ second: [UInt8],
    _ body: (inout Statement) throws(SQLiteError) -> R
  ) throws(SQLiteError) -> R {
    try lend(with: first) { (statement) throws(SQLiteError) in
      try unsafe second.withUnsafeBufferPointer { (bytes) throws(SQLiteError) in
        defer { statement.reset() }
        try unsafe statement.bind(2, bytes)
        return try body(&statement)
      }
    }
  }

  @usableFromInline
  mutating func bind(
    _ index: Int32, _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(SQLiteError) {
    let code =
      if let start = bytes.baseAddress, !bytes.isEmpty {
        unsafe sqlite3_bind_blob64(handle, index, start, UInt64(bytes.count), nil)
      } else {
        unsafe sqlite3_bind_zeroblob(handle, index, 0)
      }
    try check(binding: code, index)
  }

  /// Binds an integer.
  package mutating func bind(_ index: Int32, _ number: Int64) throws(SQLiteError) {
    let code = unsafe sqlite3_bind_int64(handle, index, number)
    try check(binding: code, index)
  }

  /// Goes on to the next row; false at the end.
  ///
  /// - Throws: any code; the statement must be reset before it is used again.
  package mutating func step() throws(SQLiteError) -> Bool {
    let code = unsafe sqlite3_step(handle)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case SQLITE_MISUSE: preconditionFailure("sqlite3_step: SQLITE_MISUSE")
    default: throw failure(code)
    }
  }

  /// Ends the run and forgets what was bound, so that the statement holds no lock and no bytes.
  @usableFromInline
  package mutating func reset() {
    // The code is that of the step before, which has been reported.
    unsafe sqlite3_reset(handle)
    unsafe sqlite3_clear_bindings(handle)
  }

  /// A copy of a blob of the current row; empty for null.
  package borrowing func bytes(_ column: Int32) -> [UInt8] {
    guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }

  /// An integer of the current row; 0 for null.
  package borrowing func int64(_ column: Int32) -> Int64 {
    unsafe sqlite3_column_int64(handle, column)
  }

  private borrowing func check(binding code: Int32, _ index: Int32) throws(SQLiteError) {
    switch code {
    case SQLITE_OK: return
    case SQLITE_RANGE, SQLITE_MISUSE: preconditionFailure("sqlite3_bind \(index): \(code)")
    default: throw failure(code)
    }
  }

  private borrowing func failure(_ code: Int32) -> SQLiteError {
    unsafe SQLiteError(code, String(cString: sqlite3_errmsg(sqlite3_db_handle(handle))))
  }
}
