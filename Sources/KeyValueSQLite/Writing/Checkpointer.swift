internal import KeyValue
internal import SQLite

/// Moves pages from the log into the database file, on a thread and a connection of its own, so
/// that no commit waits for it.
struct Checkpointer: Sendable {
  /// Passes over a log that is to be emptied. What came in during one is moved by the next, which is shorter, so that little
  /// is left.
  private static let passes = 4
  /// Pages in the log that are not worth another pass.
  private static let fewPages = 32

  private let requests = Mailbox<Void>()
  private let end = Doorbell()

  /// - Parameters:
  ///   - database: the file.
  ///   - limits: say when the log is to be emptied.
  ///   - moved: told on that thread what each pass left; nil if it failed.
  /// - Throws: `.unavailable` if the system has no thread to give.
  init(
    _ database: String, _ limits: StoreLimits,
    moved: @escaping @Sendable (Connection.Checkpoint?) -> Void
  ) throws(StoreError) {
    let (requests, end) = (requests, end)
    let started = startThread {
      // A pass that fails leaves the log as it was; the next one tries again, on a new connection.
      while requests.receive() != nil {
        moved(try? Self.move(database, limits))
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

  private static func move(
    _ database: String, _ limits: StoreLimits
  ) throws(SQLiteError) -> Connection.Checkpoint {
    let connection = try Connection(path: database, exclusive: true)
    var left = try connection.checkpoint(.passive)
    guard left.logPages >= limits.emptyLogBytes / Schema.pageBytes else { return left }
    for _ in 1..<passes {
      let moved = left.movedPages
      // It says how long the log was when the pass began.
      left = try connection.checkpoint(.passive)
      if left.movedPages - moved <= fewPages { break }
    }
    return left
  }
}
