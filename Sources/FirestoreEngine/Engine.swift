package import FirestoreModel
package import KeyValue
internal import Synchronization

/// Documents in an ordered store: commits, reads at any recent time, listings, clearing, and the feed of changes.
///
/// Reads run at once on the caller's thread. Writes are serialised by the store. `run` must be running for what was cleared
/// and for old history to be deleted.
package final class Engine: Sendable {
  /// How long old states of documents can be read.
  package struct Retention: Hashable, Sendable {
    package var duration: Duration
    /// Bound of the history of all databases together; the oldest goes first.
    package var bytes: Int

    package init(duration: Duration = .seconds(3_600), bytes: Int = 1 << 30) {
      self.duration = duration
      self.bytes = bytes
    }

    var microseconds: Int64 {
      let (seconds, attoseconds) = duration.components
      return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
  }

  /// What is kept in memory. It follows the store: it changes when a write is in.
  struct State {
    var databases: [DatabaseName: DatabaseRecord] = [:]
    /// Bytes of history; those that were there at the start come in when the upkeep has counted them.
    var historyBytes: [DatabaseNumber: Int] = [:]
    /// Databases whose history from before the start is not counted yet.
    var uncounted: [DatabaseNumber] = []
    /// Numbers of databases whose keys are to be deleted.
    var abandoned: [DatabaseNumber] = []
  }

  let store: any OrderedStore
  let clock: VersionClock
  let retention: Retention
  /// The newest commit when the engine began.
  let firstVersion: Int64
  let state = Mutex(State())
  /// Rises when a database is cleared.
  let clearings = Atomic<Int>(0)
  let upkeep = UpkeepSignal()
  let indexes: IndexPolicy
  let catalog = IndexCatalog()
  let transactions: Transactions
  /// Whether the limits of production hold that the official emulator does not have.
  let limitsWrites: Bool
  private let feed: @Sendable (CommitEvent) -> Void

  /// Opens what `store` holds. `now` reads the time of day in microseconds since 1970. `feed` gets every commit that changed
  /// something, in order, before its caller is answered; it runs on the writer of the store and must be short. `waitClock` times
  /// transactions and what waits for them.
  ///
  /// - Throws: `UNAVAILABLE` if the store can't be read.
  package init(
    store: any OrderedStore, retention: Retention = Retention(), indexes: IndexPolicy = .adaptive,
    transactions: TransactionSettings = TransactionSettings(), limitsWrites: Bool = true,
    waitClock: some Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Int64,
    feed: @escaping @Sendable (CommitEvent) -> Void = { _ in }
  ) throws(FirestoreError) {
    self.store = store
    self.retention = retention
    self.indexes = indexes
    self.limitsWrites = limitsWrites
    self.feed = feed
    do {
      let (version, state) = try store.read { reader in
        (try reader.version, try Self.load(reader))
      }
      self.firstVersion = version
      self.transactions = Transactions(
        transactions, firstID: UInt64(clamping: max(now(), version + 1)), clock: waitClock)
      self.clock = VersionClock(last: version, now: now)
      self.state.withLock { $0 = state }
    } catch {
      throw FirestoreError(thrown: error)
    }
  }

  private static func load(_ reader: any StoreReader) throws(StoreError) -> State {
    var state = State()
    try reader.forEach(.databases, Keys.databases) { pair throws(StoreError) in
      guard let name = Keys.databaseName(pair.key) else { throw .damaged }
      let record = try DatabaseRecord(decoding: pair.value)
      state.databases[name] = record
      state.uncounted.append(record.number)
    }
    try reader.forEach(.databases, Keys.abandoned) { pair throws(StoreError) in
      guard let number = Keys.abandonedNumber(pair.key) else { throw .damaged }
      state.abandoned.append(number)
    }
    return state
  }

  /// The databases that were ever written to, in no order.
  package var databases: [DatabaseName] {
    state.withLock { Array($0.databases.keys) }
  }

  /// Runs `body` as one write with a version of its own. When it is in, `applied` changes what is kept in memory, and the
  /// event that it returns goes into the feed.
  func write<Result: Sendable>(
    _ body: @escaping @Sendable (any StoreTransaction, _ version: Int64) throws -> Result,
    applied: @escaping @Sendable (Result, inout State) -> CommitEvent?
  ) async throws(FirestoreError) -> Result {
    let ticket = clock.ticket()
    do {
      return try await store.write(
        { [clock] transaction in
          try body(transaction, clock.version(for: ticket, above: try transaction.version))
        },
        applied: { [self] result in
          let event = state.withLock { applied(result, &$0) }
          // In this order: every commit up to a read time is in the feed.
          if let event { feed(event) }
          clock.end(ticket)
        })
    } catch {
      clock.end(ticket)
      throw FirestoreError(thrown: error)
    }
  }
}

extension StoreReader {
  /// Calls `body` with all pairs of `range`, which must be few, in order.
  func forEach(
    _ space: Space, _ range: KeyRange, _ body: (KeyValuePair) throws(StoreError) -> Void
  ) throws(StoreError) {
    var rest = range
    while true {
      let pairs = try scan(space, rest, .ascending, limit: 256)
      for pair in pairs { try body(pair) }
      guard pairs.count == 256, let last = pairs.last else { return }
      rest.lower = KeyPrefix.next(after: last.key)
    }
  }
}
