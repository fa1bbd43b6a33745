import HibachiTesting
import KeyValue
import KeyValueSQLite
import Testing

@Suite struct DataFolderTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func open(_ path: String? = nil) async throws -> SQLiteStore {
    try await SQLiteStore.open(folder: path ?? folder.path, durability: .normal)
  }

  private func failure(_ path: String? = nil) async -> StoreError? {
    await #expect(throws: StoreError.self) { try await open(path) }
  }

  @Test func isCreatedOnDemand() async throws {
    let path = folder.path + "/a/b"
    let store = try await open(path)
    await store.close()
    #expect(try folder.text(of: "a/b/.gitignore") == "*\n")
    #expect(try folder.text(of: "a/b/format") == "1\n")
  }

  @Test func hasOneServer() async throws {
    let store = try await open()
    let error = await failure()
    #expect(error?.code == .inUse)
    #expect(error?.message == "Another server uses the data folder \(folder.path).")
    await store.close()
    let again = try await open()
    await again.close()
  }

  @Test func openSnapshotKeepsTheLock() async throws {
    let store = try await open()
    try await store.write { try $0.put(.documents, [1], [2]) }
    let snapshot = try await store.snapshot()
    await store.close()
    #expect(try snapshot.get(.documents, [1]) == [2])
    #expect(await failure()?.code == .inUse)
  }

  @Test func newerFormatIsRefused() async throws {
    try folder.write("2\n", to: "format")
    #expect(await failure()?.code == .newerFormat)
    try folder.write("1\n", to: "format")
    let store = try await open()
    await store.close()
  }

  @Test(arguments: ["", "one\n", "-1\n", "0\n", "99999999999999999999999\n"])
  func unreadableFormatIsRefused(_ text: String) async throws {
    try folder.write(text, to: "format")
    #expect(await failure()?.code == .unavailable)
  }

  @Test func damagedDatabaseIsRefused() async throws {
    try folder.write(String(repeating: "no database ", count: 5_000), to: "store.sqlite")
    #expect(await failure()?.code == .unavailable)
  }

  @Test func fileInThePlaceOfTheFolder() async throws {
    try folder.write("x", to: "file")
    #expect(await failure(folder.path + "/file")?.code == .unavailable)
    #expect(await failure(folder.path + "/file/below")?.code == .unavailable)
  }
}
