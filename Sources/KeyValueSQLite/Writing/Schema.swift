internal import KeyValue
internal import SQLite

/// The tables of a store, and how the writer's connection is set up.
enum Schema {
  static let pageBytes = 8_192

  /// Opens the database for writing, and creates it if it is missing.
  static func open(
    _ folder: DataFolder, _ durability: Durability, _ limits: StoreLimits
  ) throws(SQLiteError) -> Session {
    let connection = try Connection(path: folder.database, exclusive: true)
    let level =
      switch durability {
      case .normal: "NORMAL"
      case .full: "FULL"
      }
    // The file is made without waiting for the disk where a power cut may cost commits anyway.
    let levelWhileCreating =
      switch durability {
      case .normal: "OFF"
      case .full: "FULL"
      }
    try connection.execute(
      """
      PRAGMA page_size = \(pageBytes);
      PRAGMA synchronous = \(levelWhileCreating);
      PRAGMA journal_mode = WAL;
      PRAGMA secure_delete = OFF;
      PRAGMA temp_store = MEMORY;
      PRAGMA cache_size = -24576;
      """)
    try connection.execute(creation)
    try connection.execute("PRAGMA synchronous = \(level)")
    if let pages = limits.pages { try connection.execute("PRAGMA max_page_count = \(pages)") }
    return Session(connection)
  }

  private static var creation: String {
    let tables = Space.allCases.map { space in
      let start = "CREATE TABLE IF NOT EXISTS \(space.table)"
      return space.hasLongValues
        ? "\(start) (key BLOB NOT NULL UNIQUE, value BLOB NOT NULL);"
        : "\(start) (key BLOB NOT NULL PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;"
    }
    return """
      BEGIN IMMEDIATE;
      CREATE TABLE IF NOT EXISTS meta
        (one INTEGER PRIMARY KEY CHECK (one = 1), version INTEGER NOT NULL);
      INSERT OR IGNORE INTO meta VALUES (1, 0);
      \(tables.joined(separator: "\n"))
      COMMIT;
      """
  }
}
