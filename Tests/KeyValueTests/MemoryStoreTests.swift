import HibachiTesting
import KeyValue
import Testing

@Suite struct MemoryStoreTests {
  @Test(arguments: StoreContract.allCases)
  func contract(_ contract: StoreContract) async throws {
    try await contract.check(MemoryStore())
  }

  @Test(arguments: 0..<12)
  func model(seed: Int) async throws {
    var check = StoreModelCheck(seed: seed)
    _ = try await check.run(MemoryStore(), writes: 60)
  }

  @Test func openSnapshotOutlivesTheStore() async throws {
    let store = MemoryStore()
    try await store.write { try $0.put(.documents, [1], [2]) }
    let snapshot = try await store.snapshot()
    await store.close()
    #expect(try snapshot.get(.documents, [1]) == [2])
    snapshot.close()
  }
}
