import Coding
import FirestoreEngine
import FirestoreModel
import HibachiTesting
import KeyValue
import KeyValueSQLite
import Synchronization
import Testing

/// Clients that move amounts between accounts, while others count the money.
@Suite("The bank")
struct BankTests {
  private static let accounts = 50
  private static let clients = 16
  private static let moves = 12
  private static let amount: Int64 = 100

  /// A transaction that was committed: the update times of what it read, and its own time.
  private struct Committed {
    var reads: [Int: Timestamp]
    var time: Timestamp
  }

  private final class History: Sendable {
    private let list = Mutex<[Committed]>([])
    var all: [Committed] { list.withLock { $0 } }
    func append(_ entry: Committed) { list.withLock { $0.append(entry) } }
  }

  @Test(arguments: [Concurrency.pessimistic, .optimistic])
  func inMemory(_ concurrency: Concurrency) async throws {
    try await run(concurrency, on: MemoryStore())
  }

  @Test(arguments: [Concurrency.pessimistic, .optimistic])
  func onDisk(_ concurrency: Concurrency) async throws {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStore.open(folder: folder.path, durability: .normal)
    try await run(concurrency, on: store)
    await store.close()
  }

  private func run(_ concurrency: Concurrency, on store: any OrderedStore) async throws {
    let time = ManualTime()
    let engine = try Engine(
      store: store,
      transactions: TransactionSettings(concurrency: concurrency),
      now: {
        time.advance(microseconds: 1)
        return time.now
      })
    try await engine.commit(
      Fixture.database, (0..<Self.accounts).map { account($0, Self.amount) })
    let history = History()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for client in 0..<Self.clients {
        group.addTask { try await self.move(client, engine, history) }
      }
      for _ in 0..<2 { group.addTask { try await self.count(engine) } }
      try await group.waitForAll()
    }
    #expect(history.all.count == Self.clients * Self.moves)
    check(history.all)
    #expect(try await sum(engine, at: nil) == Int64(Self.accounts) * Self.amount)
  }

  private func account(_ number: Int, _ amount: Int64) -> Write {
    set("accounts/\(number)", ["amount": .integer(amount)])
  }

  private func move(_ client: Int, _ engine: Engine, _ history: History) async throws {
    var random = SeededGenerator(seed: client)
    for _ in 0..<Self.moves {
      let from = random.int(0...Self.accounts - 1)
      let to = (from + random.int(1...Self.accounts - 1)) % Self.accounts
      let amount = Int64(random.int(1...20))
      var previous: [UInt8]?
      while true {
        let id = try await engine.beginTransaction(
          in: Fixture.database, .readWrite(retrying: previous, concurrency: nil))
        previous = id
        do throws(FirestoreError) {
          history.append(try await attempt(id, from, to, amount, engine))
          break
        } catch {
          guard error.code == .aborted else { throw error }
        }
      }
    }
  }

  private func attempt(
    _ id: [UInt8], _ from: Int, _ to: Int, _ amount: Int64, _ engine: Engine
  ) async throws(FirestoreError) -> Committed {
    var reads: [Int: Timestamp] = [:]
    var amounts: [Int: Int64] = [:]
    for number in [from, to] {
      let account = name("accounts/\(number)")
      let document = try await engine.read(in: id, of: Fixture.database, .documents([account])) {
        (point) async throws(FirestoreError) in
        try engine.read(Fixture.database, at: point) { try $0.document(account.path) }
      }
      guard let document,
        case .integer(let found)? = try document.fields.value(at: fieldPath("amount"))
      else { throw FirestoreError(.notFound, "account \(number)") }
      reads[number] = document.updateTime
      amounts[number] = found
    }
    let result = try await engine.commit(
      Fixture.database,
      [
        account(from, amounts[from, default: 0] - amount),
        account(to, amounts[to, default: 0] + amount),
      ],
      transaction: id)
    return Committed(reads: reads, time: result.commitTime)
  }

  /// In the order of their commits, every transaction has read what the one before has left.
  private func check(_ history: [Committed]) {
    var newest: [Int: Timestamp] = [:]
    for entry in history.sorted(by: { $0.time.microseconds < $1.time.microseconds }) {
      for (number, time) in entry.reads {
        if let last = newest[number] { #expect(time == last) }
        newest[number] = entry.time
      }
    }
  }

  private func count(_ engine: Engine) async throws {
    for _ in 0..<20 {
      let id = try await engine.beginTransaction(in: Fixture.database, .readOnly(readTime: nil))
      let query = try Query(
        StructuredQuery(from: [.init(collectionID: "accounts")]),
        parent: ParentName(database: Fixture.database, document: nil))
      let found = try await engine.read(
        in: id, of: Fixture.database, .matching(Predicate(query))
      ) { (point) async throws(FirestoreError) in
        do {
          return try await self.sum(engine, at: point)
        } catch {
          throw FirestoreError(thrown: error)
        }
      }
      #expect(found == Int64(Self.accounts) * Self.amount)
      try engine.rollback(id, in: Fixture.database)
      await Task.yield()
    }
  }

  private func sum(_ engine: Engine, at point: ReadPoint?) async throws -> Int64 {
    let query = try Query(
      StructuredQuery(from: [.init(collectionID: "accounts")]),
      parent: ParentName(database: Fixture.database, document: nil))
    var run = QueryRun(query, in: engine, at: point)
    var sum: Int64 = 0
    while let page = try await run.next() {
      for document in page.documents {
        if case .integer(let amount)? = try document.values["amount"] { sum += amount }
      }
    }
    return sum
  }
}
