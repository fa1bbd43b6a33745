import Coding
import FirestoreModel
import KeyValue
import Testing

@testable import FirestoreEngine

@Suite("Transactions")
struct EngineTransactionTests {
  private let fixture: Fixture
  private let database = Fixture.database
  private let collection: Predicate

  private var engine: Engine { fixture.engine }

  init() throws {
    fixture = try Fixture()
    collection = Predicate(
      try Query(
        StructuredQuery(
          from: [.init(collectionID: "c")],
          filter: .field(fieldPath("n"), .greaterThan(.integer(0)))),
        parent: ParentName(database: Fixture.database, document: nil)))
  }

  private func begin(_ concurrency: Concurrency) async throws -> [UInt8] {
    try await engine.beginTransaction(
      in: database, .readWrite(retrying: nil, concurrency: concurrency))
  }

  private func beginReadOnly(at time: Timestamp? = nil) async throws -> [UInt8] {
    try await engine.beginTransaction(in: database, .readOnly(readTime: time))
  }

  /// The field `n` as the transaction sees it.
  private func read(_ id: [UInt8], _ path: String) async throws -> Value? {
    let target = name(path)
    return try await engine.read(in: id, of: database, .documents([target])) {
      [engine, database] (point) async throws(FirestoreError) in
      let document = try engine.read(database, at: point) { try $0.document(target.path) }
      return try document?.fields.value(at: fieldPath("n"))
    }
  }

  private func query(_ id: [UInt8]) async throws {
    try await engine.read(in: id, of: database, .matching(collection)) {
      (_) async throws(FirestoreError) in
    }
  }

  /// Returns when so many requests wait.
  private func waitForWaiting(_ count: Int) async throws {
    while try engine.transactions.withTable({ (table, _) in
      table.requests.values.filter { !$0.isActive }.count
    }) != count { await Task.yield() }
  }

  private func put(_ path: String, _ number: Int64) -> Write { set(path, ["n": .integer(number)]) }

  private func code(of body: () async throws -> Void) async -> FirestoreError.Code? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? FirestoreError)?.code
    }
  }

  @Test(
    "a write waits for a transaction that has read the document, and the transaction goes first")
  func lockedDocument() async throws {
    try await fixture.commit(put("c/a", 1))
    let id = try await begin(.pessimistic)
    #expect(try await read(id, "c/a") == .integer(1))
    async let outside = engine.commit(database, [put("c/a", 9)])
    try await waitForWaiting(1)
    try await fixture.commit(put("c/b", 1))
    let own = try await engine.commit(database, [put("c/a", 2)], transaction: id)
    let other = try await outside
    #expect(own.commitTime.microseconds < other.commitTime.microseconds)
    #expect(try fixture.fields("c/a") == ["n": .integer(9)])
  }

  @Test("a write waits for a query that it would change, before or after")
  func lockedQuery() async throws {
    try await fixture.commit(put("c/a", 1))
    let id = try await begin(.pessimistic)
    try await query(id)
    try await fixture.commit(put("c/none", 0), put("d/a", 1))
    async let new = engine.commit(database, [put("c/new", 1)])
    async let old = engine.commit(database, [put("c/a", 0)])
    try await waitForWaiting(2)
    try engine.rollback(id, in: database)
    _ = try await (new, old)
    #expect(engine.transactions.hasLocks == false)
  }

  @Test("batched writes wait one by one")
  func batchedWrites() async throws {
    let id = try await begin(.pessimistic)
    #expect(try await read(id, "c/a") == nil)
    async let batch = engine.commitEach(
      database, [put("c/a", 1), put("c/b", 1), set("c/x", if: .exists(true))])
    try await waitForWaiting(1)
    while try fixture.fields("c/b") == nil { await Task.yield() }
    #expect(try fixture.fields("c/a") == nil)
    try engine.rollback(id, in: database)
    let results = try await batch
    #expect(try results[0].get().updateTime != results[1].get().updateTime)
    #expect(throws: FirestoreError.self) { try results[2].get() }
  }

  @Test("a commit whose client goes away while it waits leaves its transaction open")
  func cancelledCommit() async throws {
    let (first, second) = (try await begin(.pessimistic), try await begin(.pessimistic))
    #expect(try await read(first, "c/a") == nil)
    let commit = Task { [engine, database] in
      try await engine.commit(database, [set("c/a")], transaction: second)
    }
    try await waitForWaiting(1)
    commit.cancel()
    #expect(await code { _ = try await commit.value } == .cancelled)
    try engine.rollback(first, in: database)
    try await engine.commit(database, [put("c/a", 2)], transaction: second)
    #expect(try fixture.fields("c/a") == ["n": .integer(2)])
  }

  @Test("a failed precondition ends a transaction, an invalid write does not")
  func failedCommit() async throws {
    let id = try await begin(.pessimistic)
    #expect(
      await code {
        try await engine.commit(database, [set("c/a", ["": .null])], transaction: id)
      } == .invalidArgument)
    #expect(
      await code {
        try await engine.commit(
          database, [set("c/a", if: .exists(true))], transaction: id)
      } == .notFound)
    #expect(
      await code { try await engine.commit(database, [], transaction: id) } == .invalidArgument)
    try engine.rollback(id, in: database)
  }

  @Test("read-only transactions see one moment, lock nothing and write nothing")
  func readOnly() async throws {
    let first = try await fixture.commit(put("c/a", 1)).commitTime
    let (now, then) = (try await beginReadOnly(), try await beginReadOnly(at: first))
    try await fixture.commit(put("c/a", 2))
    let later = try await beginReadOnly()
    #expect(try await read(now, "c/a") == .integer(1))
    #expect(try await read(then, "c/a") == .integer(1))
    #expect(try await read(later, "c/a") == .integer(2))
    #expect(
      await code { try await engine.commit(database, [put("c/a", 3)], transaction: now) }
        == .invalidArgument)
    try await engine.commit(database, [], transaction: later)
  }

  @Test("optimistic transactions fail when what they have read has changed")
  func optimistic() async throws {
    try await fixture.commit(put("c/a", 1), put("c/b", 0))
    let changes: [(Write, document: Bool, query: Bool)] = [
      (put("c/a", 2), false, false), (delete("c/a"), false, false), (put("c/new", 1), true, false),
      (put("c/none", 0), true, true), (put("d/a", 1), true, true), (put("c/b", 3), true, false),
    ]
    for (change, documentIsSame, queryIsSame) in changes {
      try await fixture.commit(
        put("c/a", 1), put("c/b", 0), delete("c/new"), delete("c/none"), delete("d/a"))
      let (document, query) = (try await begin(.optimistic), try await begin(.optimistic))
      #expect(try await read(document, "c/a") == .integer(1))
      try await self.query(query)
      try await fixture.commit(change)
      #expect(
        await code { try await engine.commit(database, [put("e/a", 1)], transaction: document) }
          == (documentIsSame ? nil : .aborted))
      #expect(
        await code { try await engine.commit(database, [put("e/b", 1)], transaction: query) }
          == (queryIsSame ? nil : .aborted))
    }
  }

  @Test(
    "a cleared database ends its transactions", arguments: [Concurrency.pessimistic, .optimistic])
  func clearing(_ concurrency: Concurrency) async throws {
    try await fixture.commit(put("c/a", 1))
    let (writer, reader) = (try await begin(concurrency), try await beginReadOnly())
    #expect(try await read(writer, "c/a") == .integer(1))
    try await engine.clear(database)
    #expect(
      await code { try await engine.commit(database, [put("c/a", 2)], transaction: writer) }
        == .aborted)
    #expect(await code { _ = try await read(reader, "c/a") } == .aborted)
    #expect(try fixture.fields("c/a") == nil)
    #expect(engine.transactions.hasLocks == false)
  }

  @Test("ids are those of the running server, of one database")
  func ids() async throws {
    let id = try await begin(.pessimistic)
    #expect(id.count == 9 && id[0] == 0x11)
    let other = DatabaseName(project: "p", database: "other")
    #expect(await code { try await engine.commit(other, [], transaction: id) } == .invalidArgument)
    #expect(await code { try engine.rollback(id, in: other) } == .invalidArgument)
    #expect(await code { try engine.rollback([1, 2], in: database) } == .invalidArgument)
    #expect(
      await code { try engine.rollback([0x11] + Array(repeating: 0xFF, count: 8), in: database) }
        == .invalidArgument)
    try engine.rollback(id, in: database)
    try engine.rollback(id, in: database)
  }
}
