internal import KeyValue
internal import SQLite
internal import Synchronization

/// A connection for reading, lent to one view after the other.
final class Reader: Sendable {
  private struct State {
    let session: Session
    /// Kept locked while the file is open.
    let folder: DataFolder
    /// The number of the newest loan; a view of an earlier one can't read any more.
    var loan = 0
    var isLent = false
  }

  /// Nil once the file is closed.
  private let state: Mutex<State?>

  init(_ folder: DataFolder) throws(StoreError) {
    do {
      let connection = try Connection(
        path: folder.database, exclusive: true, busyMilliseconds: 1_000)
      try connection.execute("PRAGMA cache_size = -4096; PRAGMA temp_store = MEMORY")
      state = Mutex(State(session: Session(connection), folder: folder))
    } catch {
      throw StoreError(error)
    }
  }

  /// The newest value at `key`; while no view is open.
  func get(_ space: Space, _ key: [UInt8]) throws(StoreError) -> [UInt8]? {
    try run { (state) throws(SQLiteError) in try state.session.get(space, key) }
  }

  /// Starts a view; it sees the commits that are in when it first reads.
  func begin() throws(StoreError) -> ReaderView {
    let loan = try run { (state) throws(SQLiteError) in
      try state.session.run(.begin)
      state.loan += 1
      state.isLent = true
      return state.loan
    }
    return ReaderView(reader: self, loan: loan)
  }

  /// Ends the view of `loan`; false if it had ended before.
  func end(_ loan: Int) -> Bool {
    state.withLock { state in
      guard let session = state?.session, state?.isLent == true, state?.loan == loan else {
        return false
      }
      state?.isLent = false
      // Nothing was written, so ending a view can fail only where SQLite has ended it already.
      try? session.run(.commit)
      return true
    }
  }

  /// Closes the file; whoever still holds a view of it can't read any more.
  func close() {
    state.withLock { $0 = nil }
  }

  /// Reads in the view of `loan`.
  func read<Result: Sendable>(
    _ loan: Int, _ body: (Session) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    let result = try run { (state) throws(SQLiteError) -> Result? in
      guard state.isLent, state.loan == loan else { return nil }
      return try body(state.session)
    }
    guard let result else { throw StoreError(.closed, "The view was closed.") }
    return result
  }

  private func run<Result: Sendable>(
    _ body: (inout State) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    let result: Result?
    do {
      result = try state.withLock { (state) throws(SQLiteError) in
        guard var open = state else { return nil }
        defer { state = open }
        return try body(&open)
      }
    } catch {
      throw StoreError(error)
    }
    guard let result else { throw .storeClosed }
    return result
  }
}

/// One loan of a reader.
struct ReaderView: StoreReader, Sendable {
  let reader: Reader
  let loan: Int

  var version: Int64 {
    get throws(StoreError) {
      try reader.read(loan) { (session) throws(SQLiteError) in try session.version() }
    }
  }

  func get(_ space: Space, _ key: [UInt8]) throws(StoreError) -> [UInt8]? {
    try reader.read(loan) { (session) throws(SQLiteError) in try session.get(space, key) }
  }

  func scan(
    _ space: Space, _ range: KeyRange, _ direction: ScanDirection, limit: Int
  ) throws(StoreError) -> [KeyValuePair] {
    try reader.read(loan) { (session) throws(SQLiteError) in
      try session.scan(space, range, direction, limit: limit)
    }
  }

  func count(_ space: Space, _ range: KeyRange) throws(StoreError) -> Int {
    try reader.read(loan) { (session) throws(SQLiteError) in try session.count(space, range) }
  }
  func key(_ space: Space, _ range: KeyRange, behind offset: Int) throws(StoreError) -> [UInt8]? {
    try reader.read(loan) { (session) throws(SQLiteError) in
      try session.boundary(space, range, offset)
    }
  }
}
