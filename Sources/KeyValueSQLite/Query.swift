internal import KeyValue

/// A statement on the table of one space.
enum Query: Int, CaseIterable {
  case get
  case scanUp
  case scanUpToEnd
  case scanDown
  case scanDownFromEnd
  case count
  case countToEnd
  case put
  case delete
  case deleteRange
  case deleteToEnd
  /// The first key behind the lowest `?3` of a range.
  case boundary
  case boundaryToEnd

  func sql(_ space: Space) -> String {
    let table = space.table
    return switch self {
    case .get: "SELECT value FROM \(table) WHERE key = ?1"
    case .scanUp:
      "SELECT key, value FROM \(table) WHERE key >= ?1 AND key < ?2 ORDER BY key LIMIT ?3"
    case .scanUpToEnd: "SELECT key, value FROM \(table) WHERE key >= ?1 ORDER BY key LIMIT ?3"
    case .scanDown:
      "SELECT key, value FROM \(table) WHERE key >= ?1 AND key < ?2 ORDER BY key DESC LIMIT ?3"
    case .scanDownFromEnd:
      "SELECT key, value FROM \(table) WHERE key >= ?1 ORDER BY key DESC LIMIT ?3"
    case .count: "SELECT count(*) FROM \(table) WHERE key >= ?1 AND key < ?2"
    case .countToEnd: "SELECT count(*) FROM \(table) WHERE key >= ?1"
    case .put:
      """
      INSERT INTO \(table) (key, value) VALUES (?1, ?2)
        ON CONFLICT (key) DO UPDATE SET value = excluded.value
      """
    case .delete: "DELETE FROM \(table) WHERE key = ?1"
    case .deleteRange: "DELETE FROM \(table) WHERE key >= ?1 AND key < ?2"
    case .deleteToEnd: "DELETE FROM \(table) WHERE key >= ?1"
    case .boundary:
      "SELECT key FROM \(table) WHERE key >= ?1 AND key < ?2 ORDER BY key LIMIT 1 OFFSET ?3"
    case .boundaryToEnd:
      "SELECT key FROM \(table) WHERE key >= ?1 ORDER BY key LIMIT 1 OFFSET ?3"
    }
  }
}

/// A statement that concerns no space.
enum Command: Int, CaseIterable {
  case begin
  case beginWrite
  case commit
  case rollback
  case version
  case setVersion

  var sql: String {
    switch self {
    case .begin: "BEGIN"
    case .beginWrite: "BEGIN IMMEDIATE"
    case .commit: "COMMIT"
    case .rollback: "ROLLBACK"
    case .version: "SELECT version FROM meta"
    case .setVersion: "UPDATE meta SET version = ?1"
    }
  }
}

extension Space {
  /// The name of the space's table; part of the durable format.
  var table: String { "space_\(rawValue)" }

  /// Whether values are long. Their rows lie in the order in which they came, and an index has the
  /// keys: a new row then touches one page that others of its commit touch too, and one page of
  /// keys. Short rows lie in the order of their keys.
  var hasLongValues: Bool {
    switch self {
    case .documents, .history, .objects: true
    case .databases, .collections, .groups, .changes, .indexes, .entries, .buckets, .uploads: false
    }
  }
}
