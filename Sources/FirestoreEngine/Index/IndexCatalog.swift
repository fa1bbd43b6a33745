internal import FirestoreModel
internal import KeyValue
internal import Synchronization

/// The indexes of all databases, as far as they are known in memory, and what queries would like to have.
///
/// Definitions are read from the view or write that they are needed in; they are kept as long as the record of the database
/// says that they are the same. What queries and commits did is counted in memory only and starts anew with the process.
final class IndexCatalog: Sendable {
  /// An index that is to be built.
  struct Wish: Hashable, Sendable {
    var database: DatabaseName
    var number: DatabaseNumber
    var shape: IndexShape
  }

  private struct Cached {
    var generation: Int64
    var definitions: [IndexDefinition]
  }

  private struct Use: Hashable {
    var number: DatabaseNumber
    var id: UInt64
  }

  private struct State {
    var cached: [DatabaseNumber: Cached] = [:]
    /// How many queries would have been better off with an index.
    var demand: [Wish: Int] = [:]
    var wishes: [Wish] = []
    /// Commits of each database that has indexes.
    var commits: [DatabaseNumber: Int] = [:]
    /// The number of commits when an index was last used.
    var uses: [Use: Int] = [:]
  }

  /// The most indexes of a database.
  static let most = 64
  /// An index that was not used for so many commits goes.
  static let commitsWithoutUse = 10_000
  private static let queriesForWish = 2
  private static let mostWanted = 1_000
  private static let mostKnown = 1_000

  let signal = UpkeepSignal()
  private let state = Mutex(State())

  /// The indexes of a database as `reader` sees it.
  func definitions(
    _ record: DatabaseRecord, _ reader: any StoreReader
  ) throws(StoreError) -> [IndexDefinition] {
    let generation = record.indexGeneration
    guard generation > 0 else { return [] }
    let cached = state.withLock { $0.cached[record.number] }
    if let cached, cached.generation == generation { return cached.definitions }
    var definitions: [IndexDefinition] = []
    try reader.forEach(.indexes, KeyRange(prefix: StorageKey.database(record.number))) {
      pair throws(StoreError) in definitions.append(try IndexDefinition(pair))
    }
    state.withLock { [definitions] state in
      guard state.cached[record.number]?.generation ?? 0 < generation else { return }
      if state.cached.count >= Self.mostKnown { state.cached = [:] }
      state.cached[record.number] = Cached(generation: generation, definitions: definitions)
    }
    return definitions
  }

  /// Brings the entries of the documents that a commit changes up to date, inside its write.
  func update(
    _ transaction: any StoreTransaction, _ record: DatabaseRecord, _ documents: [DocumentState]
  ) throws {
    let definitions = try definitions(record, transaction)
    guard !definitions.isEmpty else { return }
    for document in documents where document.isChanged {
      for definition in definitions
      where definition.covers(document.path, document.key, in: record.number) {
        try definition.update(
          transaction, record.number, document.path, before: document.before?.fields,
          after: document.after?.fields)
      }
    }
    let isLong = state.withLock { state in
      state.commits[record.number, default: 0] += 1
      return state.commits[record.number, default: 0] % 1_000 == 0
    }
    if isLong { signal.wake() }
  }

  // MARK: - Use

  func use(_ number: DatabaseNumber, _ ids: some Sequence<UInt64>) {
    state.withLock { state in
      let commits = state.commits[number] ?? 0
      for id in ids { state.uses[Use(number: number, id: id)] = commits }
    }
  }

  /// Whether the index can go.
  func isUnused(_ number: DatabaseNumber, _ id: UInt64) -> Bool {
    state.withLock { state in
      let last = state.uses[Use(number: number, id: id)] ?? 0
      return (state.commits[number] ?? 0) - last > Self.commitsWithoutUse
    }
  }

  // MARK: - Wishes

  /// A query was answered that would have been better off with the index of the wish.
  func demand(_ wish: Wish) {
    let isNew = state.withLock { state in
      if state.demand.count >= Self.mostWanted { state.demand = [:] }
      state.demand[wish, default: 0] += 1
      guard state.demand[wish] == Self.queriesForWish, state.wishes.count < Self.most else {
        return false
      }
      state.wishes.append(wish)
      return true
    }
    if isNew { signal.wake() }
  }

  func takeWishes() -> [Wish] {
    state.withLock { state in
      defer { state.wishes = [] }
      return state.wishes
    }
  }
}
