import Coding
import FirestoreEngine
import FirestoreListen
import FirestoreModel
import FirestoreService
import HibachiTesting
import KeyValue
import Synchronization
import Testing

@testable import KeyValueSQLite

/// Groups of commits that do not fit on the disk, under the operations of clients.
@Suite("A full disk")
struct FullStoreTests {
  private static let database = DatabaseName(project: "p", database: "(default)")
  private static let other = DatabaseName(project: "p", database: "other")

  private let folder: TemporaryFolder
  private let store: SQLiteStore
  private let engine: Engine
  private let operations: FirestoreOperations
  private let feed = Feed()

  init() async throws {
    folder = try TemporaryFolder()
    var limits = StoreLimits()
    limits.pages = 600
    store = try await SQLiteStore.open(
      folder: folder.path, durability: .normal, limits: limits)
    engine = try Engine(
      store: store, retention: .init(bytes: 0), now: { 1_700_000_000_000_000 },
      feed: feed.append)
    operations = FirestoreOperations(
      engine: engine, hub: ListenHub(), random: SeededGenerator(seed: 1))
  }

  private final class Feed: Sendable {
    private let list = Mutex<[CommitEvent]>([])
    var all: [CommitEvent] { list.withLock { $0 } }
    func append(_ event: CommitEvent) { list.withLock { $0.append(event) } }
  }

  private static func name(_ path: String, in database: DatabaseName = database) -> DocumentName {
    DocumentName(
      database: database,
      path: DocumentPath(segments: path.split(separator: "/").map { UTF8String(String($0)) }))
  }

  /// One commit of a writer: a document that changes, and one that is new. Every twelfth commit is larger than the disk.
  private static func writes(_ writer: Int, _ number: Int) -> [FirestoreModel.Write] {
    let isTooLarge = (writer + number) % 12 == 0
    let paths = ["k/w\(writer)", "new/w\(writer)-\(number)"]
    return paths.map { write($0, number, kibibytes: 4) }
      + (isTooLarge ? (0..<6).map { write("large/\($0)", number, kibibytes: 900) } : [])
  }

  private static func write(
    _ path: String, in database: DatabaseName = database, _ number: Int, kibibytes: Int
  ) -> FirestoreModel.Write {
    let text = UTF8String(String(repeating: "x", count: kibibytes << 10))
    let fields = MapValue([
      .init(name: "n", value: .integer(Int64(number))), .init(name: "text", value: .string(text)),
    ])
    return FirestoreModel.Write(.update(name(path, in: database), fields, nil))
  }

  /// What eight writers were answered, by number of commit.
  private func write(_ numbers: Range<Int>) async throws -> [Int: [Int: FirestoreError.Code?]] {
    try await withThrowingTaskGroup(of: (Int, [Int: FirestoreError.Code?]).self) { group in
      for writer in 0..<8 {
        group.addTask { [operations] in
          var answers: [Int: FirestoreError.Code?] = [:]
          for number in numbers {
            do throws(FirestoreError) {
              _ = try await operations.commit(
                Self.database, writes: Self.writes(writer, number), transaction: nil,
                as: .anonymous)
              answers[number] = .some(nil)
            } catch {
              answers[number] = error.code
            }
          }
          return (writer, answers)
        }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }

  private func count(_ collection: String, in engine: Engine) throws -> Int {
    try engine.read(Self.database) {
      try $0.documentCount(in: CollectionPath(segments: [UTF8String(collection)]))
    }
  }

  @Test("every caller is told, nothing is half made, and the service goes on when there is room")
  func full() async throws {
    let answers = try await write(1..<40)
    let kept = answers.mapValues { $0.filter { $0.value == nil }.keys.sorted() }
    let codes = Set(answers.values.flatMap { $0.values.compactMap { $0 } })
    #expect(codes == [.resourceExhausted])
    let all = kept.values.map(\.count).reduce(0, +)
    #expect(all > 8)

    // The database that was not there before is not there after its commit has failed.
    let error = await #expect(throws: FirestoreError.self) {
      let writes = (0..<8).map { Self.write("k/\($0)", in: Self.other, 1, kibibytes: 900) }
      _ = try await operations.commit(
        Self.other, writes: writes, transaction: nil, as: .anonymous)
    }
    #expect(error?.code == .resourceExhausted)
    #expect(engine.databases == [Self.database])

    let reopened = try Engine(store: store, now: { 1_700_000_000_000_000 })
    for engine in [engine, reopened] { try check(engine, kept) }
    #expect(feed.all.count == all)
    #expect(feed.all.map(\.version) == feed.all.map(\.version).sorted())
    let point = ReadPoint(version: feed.all[all / 2].version)
    let before = try reopened.read(Self.database, at: point) {
      try $0.documentCount(in: CollectionPath(segments: ["new"]))
    }
    #expect(before == all / 2 + 1)

    // History is what took the room.
    try await operations.clear(Self.database)
    while try await engine.tidy() {}
    _ = try await operations.commit(
      Self.database, writes: Self.writes(1, 1), transaction: nil, as: .anonymous)
    #expect(try count("new", in: engine) == 1)
    let newest = try store.read { try $0.version }
    #expect(newest > feed.all[all - 1].version)
    await store.close()
  }

  /// Documents, counts, history and changes show the commits that were kept.
  private func check(_ engine: Engine, _ kept: [Int: [Int]]) throws {
    let all = kept.values.map(\.count).reduce(0, +)
    #expect(try count("new", in: engine) == all)
    #expect(try count("k", in: engine) == kept.values.filter { !$0.isEmpty }.count)
    for (writer, numbers) in kept {
      let document = try engine.document(Self.name("k/w\(writer)"))
      let number = try document?.fields.value(at: FieldPath(parsing: "n"))
      #expect(number == numbers.last.map { .integer(Int64($0)) })
      for number in 1..<40 {
        let new = try engine.document(Self.name("new/w\(writer)-\(number)"))
        #expect((new != nil) == numbers.contains(number))
      }
    }
    try store.read { reader throws in
      for space in [Space.history, .changes] {
        #expect(try reader.count(space, KeyRange(from: [], to: nil)) == 2 * all)
      }
    }
  }
}
