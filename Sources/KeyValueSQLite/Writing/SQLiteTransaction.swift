internal import KeyValue
internal import SQLite

/// One write of a group, on the writer's session inside the group's transaction.
final class SQLiteTransaction: StoreTransaction {
  private static let keyCost = 2_048

  private let session: Session
  let version: Int64
  /// The version that the store has if the write is kept.
  private(set) var newVersion: Int64
  /// The bytes put so far, and 2 KiB for each key that was put or deleted.
  private(set) var bytes = 0
  /// Where values may no longer be the newest.
  private(set) var changed = RecentValues.Places()
  /// Whether there may be something to undo.
  var hasChanged: Bool { bytes > 0 }
  /// The first failure of the store itself; it ends the group even if the body swallowed it.
  private(set) var failure: StoreError?

  init(_ session: Session, version: Int64) {
    self.session = session
    self.version = version
    self.newVersion = version
  }

  func get(_ space: Space, _ key: [UInt8]) throws(StoreError) -> [UInt8]? {
    try run { (session) throws(SQLiteError) in try session.get(space, key) }
  }

  func scan(
    _ space: Space, _ range: KeyRange, _ direction: ScanDirection, limit: Int
  ) throws(StoreError) -> [KeyValuePair] {
    try run { (session) throws(SQLiteError) in
      try session.scan(space, range, direction, limit: limit)
    }
  }

  func count(_ space: Space, _ range: KeyRange) throws(StoreError) -> Int {
    try run { (session) throws(SQLiteError) in try session.count(space, range) }
  }

  func key(_ space: Space, _ range: KeyRange, behind offset: Int) throws(StoreError) -> [UInt8]? {
    try run { (session) throws(SQLiteError) in try session.boundary(space, range, offset) }
  }

  func put(_ space: Space, _ key: [UInt8], _ value: [UInt8]) throws(StoreError) {
    bytes += key.count + value.count + Self.keyCost
    changed.insert(space, key)
    try run { (session) throws(SQLiteError) in try session.put(space, key, value) }
  }

  func delete(_ space: Space, _ key: [UInt8]) throws(StoreError) {
    bytes += Self.keyCost
    changed.insert(space, key)
    try run { (session) throws(SQLiteError) in try session.delete(space, key) }
  }

  func delete(_ space: Space, _ range: KeyRange, limit: Int) throws(StoreError) -> Int {
    changed.insertAll(space)
    let deleted = try run { (session) throws(SQLiteError) in
      try session.delete(space, range, limit: limit)
    }
    bytes += deleted * Self.keyCost
    return deleted
  }

  func setVersion(_ version: Int64) {
    precondition(version > self.version, "version \(version) is not above \(self.version)")
    newVersion = version
  }

  private func run<Result>(
    _ body: (Session) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    if let failure { throw failure }
    do {
      return try body(session)
    } catch {
      let failure = StoreError(error)
      self.failure = failure
      throw failure
    }
  }
}
