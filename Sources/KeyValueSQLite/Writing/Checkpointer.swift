internal import KeyValue
internal import SQLite

/// Moves pages from the log into the database file, on a thread and a connection of its own, so
/// that no commit waits for it.
struct Checkpointer: Sendable {
  private let requests = Mailbox<Void>()
  private let end = Doorbell()

  /// - Parameters:
  ///   - database: the file.
  ///   - moved: told on that thread what each pass left.
  /// - Throws: `.unavailable` if the system has no thread to give.
  init(
    _ database: String, moved: @escaping @Sendable (Connection.Checkpoint) -> Void
  ) throws(StoreError) {
    let (requests, end) = (requests, end)
    let started = startThread {
      // A pass that fails leaves the log as it was; the next one tries again, on a new connection.
      while requests.receive() != nil {
        if let left = try? Self.pass(database) { moved(left) }
      }
      end.ring()
    }
    guard started else { throw StoreError(.unavailable, "The system has no thread to give.") }
  }

  /// Asks for a pass; returns at once.
  func request() {
    // Refused only after `stop()`.
    _ = requests.send(())
  }

  /// Finishes the pass that runs and closes its connection; blocks that long.
  func stop() {
    requests.close()
    end.wait()
  }

  private static func pass(_ database: String) throws(SQLiteError) -> Connection.Checkpoint {
    let connection = try Connection(path: database, exclusive: true)
    return try connection.checkpoint(.passive)
  }
}
