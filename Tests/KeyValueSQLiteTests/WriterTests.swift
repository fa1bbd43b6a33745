import HibachiTesting
import KeyValue
import Synchronization
import Testing

@testable import KeyValueSQLite

private let everything = KeyRange(from: [], to: nil)

private final class Numbers: Sendable {
  private let numbers = Mutex<Set<Int>>([])
  var all: Set<Int> { numbers.withLock { $0 } }
  func insert(_ number: Int) { numbers.withLock { _ = $0.insert(number) } }
}

@Suite struct WriterTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func open(_ change: (inout StoreLimits) -> Void) async throws -> SQLiteStore {
    var limits = StoreLimits()
    change(&limits)
    return try await SQLiteStore.open(folder: folder.path, durability: .normal, limits: limits)
  }

  private func put(_ store: SQLiteStore, _ number: Int, kibibytes: Int) async throws {
    try await store.write { transaction in
      let key = [UInt8(number >> 8), UInt8(number & 0xff)]
      try transaction.put(.collections, key, [])
      try transaction.put(.documents, key, [UInt8](repeating: 1, count: kibibytes << 10))
      try transaction.setVersion(try transaction.version + 1)
    }
  }

  @Test func fullStoreDropsTheWriteAndGoesOn() async throws {
    let store = try await open { $0.pages = 200 }
    var written = 0
    let error = await #expect(throws: StoreError.self) {
      while written < 1_000 {
        try await put(store, written, kibibytes: 100)
        written += 1
      }
    }
    #expect(error?.code == .full)
    func check(_ expected: Int) throws {
      try store.read { reader throws in
        #expect(try reader.count(.documents, everything) == expected)
        #expect(try reader.count(.collections, everything) == expected)
        #expect(try reader.version == Int64(written))
      }
    }
    try check(written)
    #expect(try await store.write { try $0.delete(.documents, everything, limit: 10) } == 10)
    #expect(try await store.write { try $0.delete(.collections, everything, limit: 10) } == 10)
    try check(written - 10)
    try await put(store, 999, kibibytes: 100)
    written += 1
    try check(written - 10)
    await store.close()
  }

  @Test func failedGroupIsTriedOneByOne() async throws {
    let store = try await open { $0.pages = 300 }
    let applied = Numbers()
    let kept = await withTaskGroup(of: Int?.self) { group in
      for number in 0..<64 {
        group.addTask {
          let size = number % 8 == 0 ? 8_000_000 : 1_000
          do {
            return try await store.write(
              { transaction in
                try transaction.put(.documents, [UInt8(number)], [UInt8](repeating: 1, count: size))
                return number
              }, applied: { number in applied.insert(number) })
          } catch {
            #expect((error as? StoreError)?.code == .full)
            return nil
          }
        }
      }
      return await group.reduce(into: Set<Int>()) { if let number = $1 { $0.insert(number) } }
    }
    #expect(kept == Set((0..<64).filter { $0 % 8 != 0 }))
    #expect(applied.all == kept)
    let stored = try store.read { try $0.scan(.documents, everything, .ascending, limit: 100) }
    #expect(Set(stored.map { Int($0.key[0]) }) == kept)
    await store.close()
  }

  @Test func swallowedFailureStillFailsTheWrite() async throws {
    let store = try await open { $0.pages = 100 }
    let error = await #expect(throws: StoreError.self) {
      try await store.write { transaction in
        try transaction.put(.documents, [1], [1])
        try? transaction.put(.documents, [2], [UInt8](repeating: 1, count: 10_000_000))
      }
    }
    #expect(error?.code == .full)
    #expect(try store.read { try $0.count(.documents, everything) } == 0)
    await store.close()
  }

  @Test func logIsBegunBeforeTheFirstWrite() async throws {
    let store = try await open { _ in }
    try await put(store, 1, kibibytes: 1)
    await store.close()
    let reopened = try await open { _ in }
    while folder.size(of: "store.sqlite-wal") == 0 { await Task.yield() }
    #expect(try reopened.read { try $0.version } == 1)
    await reopened.close()
  }

  @Test func logIsStartedAnewUnderLoad() async throws {
    let store = try await open {
      $0.checkpointBytes = 256 << 10
      $0.emptyLogBytes = 1 << 20
      $0.logBytes = 1 << 30
    }
    var isReused = false
    for number in 0..<4_000 where !isReused {
      try await put(store, number, kibibytes: 100)
      isReused = folder.size(of: "store.sqlite-wal") < number * 50 << 10
    }
    #expect(isReused)
    await store.close()
  }

  @Test func logIsBoundedWhileASnapshotStays() async throws {
    let limit = 4 << 20
    let store = try await open {
      $0.checkpointBytes = 256 << 10
      $0.emptyLogBytes = 1 << 20
      $0.logBytes = limit
      $0.logWait = .seconds(600)
    }
    let snapshot = try await store.snapshot()
    async let writes: Void = {
      for number in 0..<400 { try await put(store, number, kibibytes: 100) }
    }()
    while folder.size(of: "store.sqlite-wal") < limit { await Task.yield() }
    #expect(try snapshot.count(.documents, everything) == 0)
    snapshot.close()
    try await writes
    #expect(folder.size(of: "store.sqlite-wal") < limit + 1 << 20)
    #expect(try store.read { try $0.count(.documents, everything) } == 400)
    await store.close()
  }

  @Test func snapshotThatStaysTooLongStopsNobody() async throws {
    let store = try await open {
      $0.emptyLogBytes = 1 << 20
      $0.logBytes = 1 << 20
      $0.logWait = .milliseconds(1)
    }
    let snapshot = try await store.snapshot()
    for number in 0..<50 { try await put(store, number, kibibytes: 100) }
    #expect(try snapshot.version == 0)
    snapshot.close()
    await store.close()
  }
}
