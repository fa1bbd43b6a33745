import HibachiTesting
import KeyValue
import Testing

@testable import KeyValueSQLite

private let everything = KeyRange(from: [], to: nil)

@Suite struct SQLiteStoreTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func open(
    _ durability: Durability = .normal, _ change: (inout StoreLimits) -> Void = { _ in }
  ) async throws -> SQLiteStore {
    var limits = StoreLimits()
    change(&limits)
    return try await SQLiteStore.open(folder: folder.path, durability: durability, limits: limits)
  }

  @Test(arguments: StoreContract.allCases, [Durability.normal, .full])
  func contract(_ contract: StoreContract, _ durability: Durability) async throws {
    try await contract.check(try await open(durability))
  }

  @Test(arguments: 0..<10)
  func model(seed: Int) async throws {
    var check = StoreModelCheck(seed: seed)
    let store = try await open()
    let model = try await check.run(store, writes: 40)
    await store.close()
    let again = try await open()
    try again.read { reader throws in
      #expect(try reader.version == model.version)
      for space in Space.allCases {
        let found = try reader.scan(space, everything, .ascending, limit: .max)
        #expect(found == model.pairs(space, everything))
      }
    }
    await again.close()
  }

  @Test(arguments: 2..<6)
  func getsBesideWritesNeverGoBack(seed: Int) async throws {
    let store = try await open()
    try await NewestValueCheck(seed: seed).run(store)
    await store.close()
  }

  @Test(arguments: [Durability.normal, .full])
  func killedProcessLosesNothing(_ durability: Durability) async throws {
    let store = try await open(durability)
    for version in 1...50 {
      try await store.write { transaction in
        try transaction.put(.documents, [UInt8(version)], [1, 2, 3])
        try transaction.setVersion(Int64(version))
      }
    }
    // The files of an open store are what a killed process leaves.
    let left = try folder.copy()
    await store.close()
    let again = try await SQLiteStore.open(folder: left.path, durability: durability)
    try again.read { reader throws in
      #expect(try reader.version == 50)
      #expect(try reader.count(.documents, everything) == 50)
    }
    await again.close()
  }

  @Test func closedStoreLeavesOneFile() async throws {
    let store = try await open()
    try await store.write { try $0.put(.documents, [1], [1]) }
    _ = try store.read { try $0.get(.documents, [1]) }
    let snapshot = try await store.snapshot()
    snapshot.close()
    await store.close()
    #expect(folder.size(of: "store.sqlite") > 0)
    #expect(folder.size(of: "store.sqlite-wal") == 0)
  }

  @Test func droppedStoreEnds() async throws {
    weak var dropped: SQLiteStore?
    do {
      let store = try await open()
      dropped = store
      try await store.write { try $0.setVersion(7) }
    }
    #expect(dropped == nil)
  }

  @Test func snapshotsAreBounded() async throws {
    let store = try await open { $0.snapshots = 2 }
    let first = try await store.snapshot()
    let second = try await store.snapshot()
    async let third = store.snapshot()
    let cancelled = Task { try await store.snapshot() }
    cancelled.cancel()
    let error = await #expect(throws: StoreError.self) { try await cancelled.value }
    #expect(error?.code == .unavailable)
    first.close()
    first.close()
    try await third.close()
    let fourth = try await store.snapshot()
    async let fifth = store.snapshot()
    await store.close()
    second.close()
    fourth.close()
    do {
      try await fifth.close()
    } catch {
      #expect((error as? StoreError)?.code == .closed)
    }
  }

  @Test func manySnapshotsTakeTurns() async throws {
    let store = try await open { $0.snapshots = 3 }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<60 {
        group.addTask { () throws in
          let task = Task { try await store.snapshot() }
          if index % 4 == 0 { task.cancel() }
          guard let snapshot = try? await task.value else { return }
          await Task.yield()
          #expect(try snapshot.version == 0)
          snapshot.close()
        }
      }
      try await group.waitForAll()
    }
    let all = [try await store.snapshot(), try await store.snapshot(), try await store.snapshot()]
    for snapshot in all { snapshot.close() }
    await store.close()
  }

  @Test func droppedSnapshotGivesItsPlaceBack() async throws {
    let store = try await open { $0.snapshots = 1 }
    for _ in 0..<3 { _ = try await store.snapshot() }
    await store.close()
  }
}
