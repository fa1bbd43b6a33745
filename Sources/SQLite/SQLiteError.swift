private import CSQLite

/// Why SQLite could not do what it was asked.
@usableFromInline
package struct SQLiteError: Error, Hashable, Sendable {
  package enum Code: Hashable, Sendable {
    /// The disk, or the number of pages allowed, is used up.
    case full
    /// Another connection holds a lock that was needed.
    case busy
    /// The file is damaged, or it is not a database.
    case corrupt
    /// A call of the system failed, or the file can't be opened or written.
    case inputOutput
    /// No memory.
    case memory
    /// A value or a statement is longer than SQLite takes.
    case tooBig
    /// Anything else: the statement or its use is wrong.
    case other
  }

  package var code: Code
  /// SQLite's extended result code, for the log.
  package var extendedCode: Int32
  /// SQLite's text for it.
  package var message: String

  init(_ resultCode: Int32, _ message: String) {
    self.extendedCode = resultCode
    self.message = message
    self.code =
      switch resultCode & 0xff {
      case SQLITE_FULL: .full
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
      case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_PROTOCOL,
        SQLITE_NOLFS:
        .inputOutput
      case SQLITE_NOMEM: .memory
      case SQLITE_TOOBIG: .tooBig
      default: .other
      }
  }
}
