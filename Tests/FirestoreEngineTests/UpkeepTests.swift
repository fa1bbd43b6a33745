import Coding
import FirestoreEngine
import FirestoreModel
import HibachiTesting
import KeyValue
import KeyValueSQLite
import Synchronization
import Testing

@Suite("Clearing and upkeep")
struct UpkeepTests {
  private static let spaces: [Space] = [.documents, .collections, .groups, .history, .changes]

  private func keyCount(_ store: any OrderedStore, _ spaces: [Space] = Self.spaces) throws -> Int {
    try store.read { reader in
      try spaces.reduce(0) { try $0 + reader.count($1, KeyRange(from: [], to: nil)) }
    }
  }

  @Test("a cleared database is empty at once, and deleted later")
  func clear() async throws {
    let fixture = try Fixture()
    let other = DatabaseName(project: "p", database: "other")
    try await fixture.engine.commit(
      Fixture.database, (0..<600).map { set("c/\($0)", ["n": .integer(1)]) })
    try await fixture.engine.commit(
      other, [Write(.update(name("c/a", in: other), MapValue(), nil))])
    let before = try fixture.engine.read(Fixture.database) { $0.point }
    try await fixture.engine.clear(Fixture.database)

    #expect(try fixture.fields("c/1") == nil)
    #expect(try fixture.collectionIDs() == [])
    #expect(try await fixture.list("c").paths == [])
    let error = #expect(throws: FirestoreError.self) {
      try fixture.engine.read(Fixture.database, at: before) { _ in }
    }
    #expect(error?.code == .failedPrecondition)
    let cleared = try #require(fixture.events.all.last)
    guard case .cleared = cleared.content else { throw Unexpected() }
    #expect(cleared.version == cleared.incarnation)

    try await fixture.commit(set("c/1", ["n": .integer(2)]))
    #expect(try await fixture.engine.tidy())
    #expect(try keyCount(fixture.store) == 10)
    #expect(try fixture.fields("c/1") == ["n": .integer(2)])
    #expect(try fixture.engine.document(name("c/a", in: other)) != nil)
    #expect(fixture.events.all.last?.incarnation == cleared.incarnation)
  }

  @Test("a step ends after some time", arguments: [0, 1, 700])
  func stepsEnd(microseconds: Int64) async throws {
    let store = CountingStore()
    let time = ManualTime()
    let engine = try Engine(
      store: store, retention: .init(duration: .seconds(1)),
      now: {
        time.advance(microseconds: microseconds)
        return time.now
      })
    try await engine.commit(Fixture.database, (0..<512).map { set("c/\($0)") })
    time.advance(seconds: 2)
    let before = store.writes.load(ordering: .relaxed)
    #expect(try await engine.tidy() == false)
    let trims = store.writes.load(ordering: .relaxed) - before
    try await engine.clear(Fixture.database)
    _ = try await engine.tidy()
    let all = store.writes.load(ordering: .relaxed) - before
    #expect(try keyCount(store) == 0)
    // Few entries a step where each takes long, and many where none does.
    #expect(microseconds > 100 ? trims > 100 && all - trims > 10 : trims < 5 && all - trims < 13)
  }

  /// A store in memory that counts its writes.
  private final class CountingStore: OrderedStore {
    let writes = Atomic(0)
    private let store = MemoryStore()

    func write<Result: Sendable>(
      _ body: @escaping @Sendable (any StoreTransaction) throws -> Result,
      applied: @escaping @Sendable (Result) -> Void
    ) async throws -> Result {
      writes.add(1, ordering: .relaxed)
      return try await store.write(body, applied: applied)
    }

    func read<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result {
      try store.read(body)
    }

    func get(_ space: Space, _ key: [UInt8]) throws(StoreError) -> [UInt8]? {
      try store.get(space, key)
    }

    func snapshot() async throws(StoreError) -> any StoreSnapshot { try await store.snapshot() }

    func close() async { await store.close() }
  }

  @Test("what was cleared before a restart is deleted after it")
  func clearAndRestart() async throws {
    let fixture = try Fixture()
    try await fixture.commit(set("c/a"), set("c/b"))
    try await fixture.engine.clear(Fixture.database)
    let reopened = try Fixture(store: fixture.store)
    #expect(try reopened.fields("c/a") == nil)
    #expect(try await reopened.engine.tidy() == false)
    #expect(try keyCount(fixture.store) == 0)
  }

  @Test("clearing an unknown database makes none")
  func clearUnknown() async throws {
    let fixture = try Fixture()
    try await fixture.engine.clear(Fixture.database)
    #expect(fixture.engine.databases.isEmpty)
    #expect(fixture.events.all.isEmpty)
  }

  @Test(
    "clearing below a path",
    arguments: [
      (["c"], ["cc/a", "d/a"]),
      (["c", "a"], ["c/ab", "c/b", "c/b/s/1", "cc/a", "d/a"]),
      (["c", "b", "s"], ["c/a", "c/a/s/1", "c/a/s/1/t/1", "c/ab", "c/b", "cc/a", "d/a"]),
      (["none"], ["c/a", "c/a/s/1", "c/a/s/1/t/1", "c/ab", "c/b", "c/b/s/1", "cc/a", "d/a"]),
      ([], []),
    ])
  func clearBelow(_ path: [String], _ expected: [String]) async throws {
    let fixture = try Fixture()
    let all = [
      "c/a", "c/a/s/1", "c/a/s/1/t/1", "c/ab", "c/b", "c/b/s/1", "cc/a", "d/a",
    ]
    try await fixture.engine.commit(Fixture.database, all.map { set($0) })
    try await fixture.engine.clear(Fixture.database, below: path.map { UTF8String($0) })
    #expect(try all.filter { try fixture.fields($0) != nil } == expected)
  }

  @Test("history ends at its time")
  func trimByTime() async throws {
    let fixture = try Fixture()
    for number in 0..<300 {
      try await fixture.commit(set("c/a", ["n": .integer(Int64(number))]))
      fixture.time.advance(seconds: 10)
    }
    #expect(try await fixture.engine.tidy())
    #expect(try keyCount(fixture.store, [.history]) == 300)
    fixture.time.advance(seconds: 2_400)
    #expect(try await fixture.engine.tidy())
    #expect(try keyCount(fixture.store, [.history]) == 120)
    #expect(try keyCount(fixture.store, [.changes]) == 120)
    let readable = Timestamp(microseconds: fixture.time.now - 3_590_000_000)
    let point = try await fixture.engine.point(at: readable)
    let past = try fixture.engine.read(Fixture.database, at: point) {
      try $0.document(name("c/a").path)
    }
    #expect(try past?.values == ["n": .integer(181)])
    fixture.time.advance(seconds: 3_600)
    #expect(try await fixture.engine.tidy() == false)
    #expect(try keyCount(fixture.store, [.history, .changes]) == 0)
    #expect(try fixture.fields("c/a") == ["n": .integer(299)])
  }

  @Test("history ends at its size, over a restart too", arguments: [false, true])
  func trimByBytes(restarts: Bool) async throws {
    var fixture = try Fixture(retention: .init(bytes: 100_000))
    let point = try fixture.engine.read(Fixture.database) { $0.point }
    let large = Value.bytes([UInt8](repeating: 1, count: 1_000))
    for number in 0..<400 {
      try await fixture.commit(set("c/a", ["n": .integer(Int64(number)), "b": large]))
    }
    if restarts { fixture = try Fixture(store: fixture.store, retention: .init(bytes: 100_000)) }
    #expect(try await fixture.engine.tidy() == (try keyCount(fixture.store, [.history]) > 0))
    #expect(try keyCount(fixture.store, [.history]) < 100)
    let error = #expect(throws: FirestoreError.self) {
      try fixture.engine.read(Fixture.database, at: point) { _ in }
    }
    #expect(error == FirestoreError(.failedPrecondition, "The requested 'read_time' is too old."))
  }

  @Test("history is trimmed by size while writers go on", arguments: [false, true])
  func trimBesideWriters(isOnDisk: Bool) async throws {
    let folder = try TemporaryFolder()
    let store: any OrderedStore =
      isOnDisk
      ? try await SQLiteStore.open(folder: folder.path, durability: .normal) : MemoryStore()
    let bound = 50_000
    let fixture = try Fixture(store: store, retention: .init(bytes: bound))
    let large = Value.bytes([UInt8](repeating: 1, count: 1_000))
    for batch in 0..<20 {
      try await fixture.engine.commit(
        Fixture.database,
        (0..<100).map { set("c/\($0)", ["n": .integer(Int64(batch)), "b": large]) })
    }
    let progress = Progress()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        repeat {
          let number = Int64(progress.commits.load(ordering: .relaxed))
          try await fixture.commit(set("w/a", ["n": .integer(number), "b": large]))
          progress.commits.add(1, ordering: .releasing)
        } while !progress.finished.load(ordering: .acquiring)
      }
      while progress.commits.load(ordering: .acquiring) == 0 { await Task.yield() }
      _ = try await fixture.engine.tidy()
      // Seven steps or more, in the line of writes: commits come in between.
      #expect(progress.commits.load(ordering: .acquiring) > (isOnDisk ? 3 : 0))
      progress.finished.store(true, ordering: .releasing)
      try await group.waitForAll()
    }
    _ = try await fixture.engine.tidy()
    #expect(try keyCount(store, [.history]) <= bound / 1_000)
    #expect(try keyCount(store, [.changes]) == keyCount(store, [.history]))
    #expect(try fixture.fields("c/7")?["n"] == .integer(19))
    #expect(
      try fixture.fields("w/a")?["n"]
        == .integer(Int64(progress.commits.load(ordering: .acquiring) - 1)))
    await store.close()
  }

  @Test("the upkeep runs when something was cleared, and ends when cancelled")
  func run() async throws {
    let fixture = try Fixture()
    try await fixture.commit(set("c/a"))
    try await fixture.engine.clear(Fixture.database)
    let engine = fixture.engine
    let upkeep = Task {
      await engine.run(every: .milliseconds(1), clock: ContinuousClock()) { _ in }
    }
    while try keyCount(fixture.store) > 0 { await Task.yield() }
    upkeep.cancel()
    await upkeep.value
  }

  private final class Progress: Sendable {
    let commits = Atomic(0)
    let finished = Atomic(false)
  }

  struct Unexpected: Error {}
}
