import Coding
import FirestoreModel
import Testing

@testable import FirestoreEngine

/// A table with a clock that is moved by hand, and what was decided.
struct TableFixture {
  typealias Ticket = TransactionTable.Ticket
  typealias Decision = TransactionTable.Decision

  var table: TransactionTable
  var now = Duration.zero
  private(set) var decided: [Ticket: Decision] = [:]

  init(_ settings: TransactionSettings = TransactionSettings()) {
    table = TransactionTable(settings, firstID: 1)
  }

  mutating func begin(retrying previous: TransactionID? = nil) throws -> TransactionID {
    let id = try table.begin(
      .locking, in: Fixture.database, incarnation: nil, retrying: previous, at: now)
    take()
    return id
  }

  /// Begins a call that reads; it is over when it was decided.
  mutating func read(_ id: TransactionID, _ paths: String...) throws -> Ticket {
    _ = try table.enter(id, in: Fixture.database, at: now)
    let ticket = try table.read(id, paths.map { name($0) }, at: now)
    take()
    if decided[ticket] != nil { table.leave(id, at: now) }
    return ticket
  }

  mutating func query(_ id: TransactionID, _ predicate: Predicate) throws -> Ticket {
    let ticket = try table.query(id, predicate, at: now)
    take()
    return ticket
  }

  mutating func write(_ id: TransactionID? = nil, _ paths: String...) throws -> Ticket {
    let ticket = try table.write(
      id, in: Fixture.database, Set(paths.map { name($0) }), at: now)
    take()
    return ticket
  }

  mutating func admits(_ ticket: Ticket, creating paths: String...) -> Bool {
    let record = DocumentRecord(
      createVersion: 1, updateVersion: 1, fields: StoredFields(MapValue()))
    let answer = table.admits(
      ticket, paths.map { DocumentChange(path: name($0).path, before: nil, after: record) },
      at: now)
    take()
    return answer
  }

  mutating func finish(_ ticket: Ticket, ending id: TransactionID? = nil, _ paths: String...) {
    table.finish(ticket, at: now)
    if let id { table.end(id, written: Set(paths.map { name($0) }), at: now) }
    take()
  }

  mutating func end(_ id: TransactionID) {
    table.end(id, at: now)
    take()
  }

  mutating func pass(_ duration: Duration) {
    now += duration
    table.advance(to: now)
    take()
  }

  /// The decision about a request, once.
  mutating func decide(_ ticket: Ticket) -> Decision? {
    take()
    return decided.removeValue(forKey: ticket)
  }

  private mutating func take() {
    for (ticket, decision) in table.takeDecisions() {
      decided[ticket] = decision
    }
  }
}

@Suite("The table of transactions")
struct TransactionTableTests {
  private let collection = Predicate(
    source: .collection(CollectionPath(segments: ["c"])))

  @Test("racing transactions pass one after the other")
  func line() throws {
    var fixture = TableFixture()
    let ids = try (0..<4).map { _ in try fixture.begin() }
    let reads = try ids.map { try fixture.read($0, "c/a") }
    for (index, id) in ids.enumerated() {
      #expect(reads.map { fixture.decided[$0] == .granted } == (0..<4).map { $0 <= index })
      let write = try fixture.write(id, "c/a")
      #expect(fixture.decided[write] == .granted)
      fixture.pass(.milliseconds(150))
      fixture.finish(write, ending: id, "c/a")
    }
    #expect(fixture.table.lines.isEmpty && fixture.table.requests.isEmpty)
  }

  @Test("the first in the line shares when nothing was handed over for the time of grace")
  func grace() throws {
    var fixture = TableFixture()
    let ids = try (0..<3).map { _ in try fixture.begin() }
    let reads = try ids.map { try fixture.read($0, "c/a") }
    #expect(fixture.table.nextDeadline == .milliseconds(200))
    fixture.pass(.milliseconds(199))
    #expect(fixture.decided[reads[1]] == nil)
    fixture.pass(.milliseconds(1))
    #expect(fixture.decided[reads[1]] == .granted)
    fixture.pass(.milliseconds(199))
    #expect(fixture.decided[reads[2]] == nil)
    fixture.pass(.milliseconds(1))
    #expect(fixture.decided[reads[2]] == .granted)
  }

  @Test("two that both have read: one is aborted at once, the other goes on")
  func bothHaveRead() throws {
    var fixture = TableFixture()
    let (first, second) = (try fixture.begin(), try fixture.begin())
    _ = try fixture.read(first, "c/a")
    _ = try fixture.read(second, "c/a")
    fixture.pass(.milliseconds(200))
    let write = try fixture.write(first, "c/a")
    #expect(fixture.decided[write] == nil)
    let loser = try fixture.write(second, "c/a")
    #expect(fixture.decided[loser] == .aborted)
    #expect(fixture.decided[write] == .granted)
  }

  @Test("the age of an attempt stays with the next one")
  func age() throws {
    var fixture = TableFixture()
    let (old, young) = (try fixture.begin(), try fixture.begin())
    fixture.table.abort(old, at: fixture.now)
    let retry = try fixture.begin(retrying: old)
    _ = try fixture.read(young, "c/a")
    _ = try fixture.read(retry, "c/a")
    fixture.pass(.milliseconds(200))
    let write = try fixture.write(young, "c/a")
    let other = try fixture.write(retry, "c/a")
    #expect(fixture.decided[write] == .aborted)
    #expect(fixture.decided[other] == .granted)
  }

  @Test("readers of two documents in opposite order share; then one is aborted at once")
  func oppositeOrder() throws {
    var fixture = TableFixture()
    let (first, second) = (try fixture.begin(), try fixture.begin())
    _ = try fixture.read(first, "c/a")
    _ = try fixture.read(second, "c/b")
    let waiting = try fixture.read(first, "c/b")
    #expect(fixture.decided[waiting] == nil)
    let closing = try fixture.read(second, "c/a")
    #expect(fixture.decided[closing] == .granted)
    #expect(fixture.decided[waiting] == .granted)
    let write = try fixture.write(first, "c/a", "c/b")
    #expect(fixture.decided[write] == nil)
    let loser = try fixture.write(second, "c/a", "c/b")
    #expect(fixture.decided[loser] == .aborted)
    #expect(fixture.decided[write] == .granted)
  }

  @Test("a read never fails as others wait for its transaction")
  func readInACycle() throws {
    var fixture = TableFixture()
    let (first, second) = (try fixture.begin(), try fixture.begin())
    _ = try fixture.read(first, "c/a")
    _ = try fixture.read(second, "c/b")
    let write = try fixture.write(first, "c/a", "c/b")
    let read = try fixture.read(second, "c/a")
    #expect(fixture.decided[read] == .granted && fixture.decided[write] == nil)
    let loser = try fixture.write(second, "c/a")
    #expect(fixture.decided[loser] == .aborted && fixture.decided[write] == .granted)
  }

  @Test("writes pass in the order in which they came, readers behind them wait")
  func writers() throws {
    var fixture = TableFixture()
    let reader = try fixture.begin()
    _ = try fixture.read(reader, "c/a")
    let writes = [try fixture.write(nil, "c/a"), try fixture.write(nil, "c/a", "c/b")]
    let later = try fixture.begin()
    let read = try fixture.read(later, "c/a")
    fixture.pass(.seconds(1))
    #expect(fixture.decided[read] == nil && fixture.decided[writes[0]] == nil)
    fixture.end(reader)
    #expect(fixture.decided[writes[0]] == .granted && fixture.decided[writes[1]] == nil)
    fixture.finish(writes[0])
    #expect(fixture.decided[writes[1]] == .granted && fixture.decided[read] == nil)
    fixture.finish(writes[1])
    #expect(fixture.decided[read] == .granted)
  }

  @Test("a write that waits holds up nobody whom it waits for")
  func overtaking() throws {
    var fixture = TableFixture()
    let reader = try fixture.begin()
    _ = try fixture.read(reader, "c/b")
    let outside = try fixture.write(nil, "c/a", "c/b")
    let read = try fixture.read(reader, "c/a")
    #expect(fixture.decided[read] == .granted)
    let write = try fixture.write(reader, "c/a", "c/b", "c/x")
    #expect(fixture.decided[write] == .granted)
    fixture.finish(write, ending: reader, "c/a", "c/b")
    #expect(fixture.decided[outside] == .granted)
  }

  @Test("a document that two readers left unwritten is shared at once, until one writes it")
  func unwritten() throws {
    var fixture = TableFixture()
    for _ in 0..<2 {
      let id = try fixture.begin()
      _ = try fixture.read(id, "c/a")
      fixture.end(id)
    }
    let (first, second) = (try fixture.begin(), try fixture.begin())
    let ticket1 = try fixture.read(first, "c/a")
    #expect(fixture.decided[ticket1] == .granted)
    let ticket2 = try fixture.read(second, "c/a")
    #expect(fixture.decided[ticket2] == .granted)
    fixture.end(first)
    let write = try fixture.write(second, "c/a")
    fixture.finish(write, ending: second, "c/a")
    let (third, fourth) = (try fixture.begin(), try fixture.begin())
    let ticket3 = try fixture.read(third, "c/a")
    #expect(fixture.decided[ticket3] == .granted)
    let ticket4 = try fixture.read(fourth, "c/a")
    #expect(fixture.decided[ticket4] == nil)
  }

  @Test("one that is idle while others wait loses its locks, and hears of it")
  func idleHolder() throws {
    var fixture = TableFixture()
    let idle = try fixture.begin()
    _ = try fixture.read(idle, "c/a")
    fixture.pass(.seconds(30))
    let write = try fixture.write(nil, "c/a")
    #expect(fixture.table.nextDeadline == .seconds(32))
    fixture.pass(.milliseconds(1_999))
    #expect(fixture.decided[write] == nil)
    fixture.pass(.milliseconds(1))
    #expect(fixture.decided[write] == .granted)
    let error = #expect(throws: FirestoreError.self) { try fixture.read(idle, "c/a") }
    #expect(error?.code == .aborted)
    let later = #expect(throws: FirestoreError.self) { try fixture.read(idle, "c/a") }
    #expect(later?.code == .invalidArgument)
  }

  @Test("transactions end after 60 s without a call and after 270 s")
  func expiry() throws {
    var fixture = TableFixture()
    let (idle, busy) = (try fixture.begin(), try fixture.begin())
    for index in 0..<9 {
      _ = try fixture.read(busy, "c/\(index)")
      fixture.pass(.seconds(30))
      #expect((fixture.table.entries[idle] != nil) == (index == 0))
    }
    let error = #expect(throws: FirestoreError.self) { try fixture.read(busy, "c/a") }
    #expect(error == .transactionExpired)
    #expect(fixture.table.entries.isEmpty && fixture.table.lockingCount == 0)
  }

  @Test("a query holds up writes of what it matches, and what came before holds up the query")
  func predicates() throws {
    var fixture = TableFixture()
    let (reader, later) = (try fixture.begin(), try fixture.begin())
    let ticket5 = try fixture.query(reader, collection)
    #expect(fixture.decided[ticket5] == .granted)
    let other = try fixture.write(nil, "d/a")
    let otherIsAdmitted = fixture.admits(other, creating: "d/a")
    #expect(otherIsAdmitted)
    let write = try fixture.write(nil, "c/a")
    #expect(fixture.decided[write] == .granted)
    let isAdmitted = fixture.admits(write, creating: "c/a")
    #expect(!isAdmitted)
    let query = try fixture.query(later, collection)
    #expect(fixture.decided[query] == nil)
    #expect(fixture.table.nextDeadline == .seconds(2))
    fixture.end(reader)
    let isAdmittedNow = fixture.admits(write, creating: "c/a")
    #expect(isAdmittedNow)
    fixture.finish(write)
    #expect(fixture.decided[query] == .granted)
  }

  @Test("what waits can be taken back")
  func cancelling() throws {
    var fixture = TableFixture()
    let (reader, other) = (try fixture.begin(), try fixture.begin())
    _ = try fixture.read(reader, "c/a")
    let write = try fixture.write(nil, "c/a")
    let read = try fixture.read(other, "c/a")
    fixture.table.cancel(write, at: fixture.now)
    fixture.pass(.milliseconds(200))
    #expect(fixture.decided[write] == .cancelled && fixture.decided[read] == .granted)
  }

  @Test("a cleared database ends its transactions")
  func clearing() throws {
    var fixture = TableFixture()
    let (reader, other) = (try fixture.begin(), try fixture.begin())
    _ = try fixture.read(reader, "c/a")
    let read = try fixture.read(other, "c/a")
    fixture.table.endAll(of: Fixture.database, at: fixture.now)
    fixture.pass(.zero)
    #expect(fixture.decided[read] == .aborted)
    let error = #expect(throws: FirestoreError.self) { try fixture.read(reader, "c/a") }
    #expect(error == .databaseCleared)
  }
}
