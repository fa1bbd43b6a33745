import Coding
import FirestoreModel
import HibachiTesting
import Testing

@testable import FirestoreEngine

/// Random calls of some transactions and commits: locks exclude each other, and somebody can always go on.
@Suite("The table of transactions, at random")
struct TransactionTablePropertyTests {
  /// What one transaction, or one commit outside, is about.
  private struct Client {
    var id: TransactionID?
    var waiting: TransactionTable.Ticket?
    var writing: TransactionTable.Ticket?
    var paths: [String] = []
  }

  private static let paths = ["c/a", "c/b", "c/d", "e/a"]
  private static let predicates = [
    Predicate(source: .collection(CollectionPath(segments: ["c"]))),
    Predicate(source: .descendants(of: nil)),
  ]

  @Test(arguments: 0..<200)
  func random(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    var fixture = TableFixture()
    var clients: [Client] = []
    for _ in 0..<120 {
      try step(&fixture, &clients, &random)
      sort(&fixture, &clients)
      check(fixture)
      if random.once(in: 4) { fixture.pass(.milliseconds(random.int(0...150))) }
    }
    drain(&fixture, &clients)
    #expect(fixture.table.requests.isEmpty && fixture.table.lines.isEmpty)
    #expect(fixture.table.predicates.isEmpty && fixture.table.entries.isEmpty)
    #expect(fixture.table.lockingCount == 0 && fixture.table.waitingLines.isEmpty)
    #expect(fixture.table.changing.isEmpty && fixture.table.obstructed.isEmpty)
  }

  private func step(
    _ fixture: inout TableFixture, _ clients: inout [Client], _ random: inout SeededGenerator
  ) throws {
    let some = (0...random.int(0...2)).map { _ in Self.paths[random.int(0...3)] }
    if clients.count < 2 || random.once(in: 6) {
      if random.once(in: 3) {
        let ticket = try fixture.table.write(
          nil, in: Fixture.database, Set(some.map { name($0) }), at: fixture.now)
        clients.append(Client(waiting: ticket, writing: ticket, paths: some))
      } else {
        clients.append(Client(id: try fixture.begin()))
      }
      return
    }
    let index = random.int(0...clients.count - 1)
    guard let id = clients[index].id, fixture.table.entries[id]?.loss == nil else { return }
    guard clients[index].waiting == nil else {
      if random.once(in: 10), let waiting = clients[index].waiting {
        fixture.table.cancel(waiting, at: fixture.now)
      }
      return
    }
    switch random.int(0...5) {
    case 0...2:
      clients[index].waiting = try fixture.table.read(id, some.map { name($0) }, at: fixture.now)
    case 3:
      clients[index].waiting = try fixture.table.query(
        id, Self.predicates[random.int(0...1)], at: fixture.now)
    case 4:
      let ticket = try fixture.table.write(
        id, in: Fixture.database, Set(some.map { name($0) }), at: fixture.now)
      clients[index].waiting = ticket
      clients[index].writing = ticket
      clients[index].paths = some
    default:
      fixture.end(id)
      clients.remove(at: index)
    }
  }

  /// Lets clients hear of what was decided; writes that have their documents are made.
  private func sort(_ fixture: inout TableFixture, _ clients: inout [Client]) {
    fixture.pass(.zero)
    var isDone = false
    while !isDone {
      isDone = true
      for (index, client) in clients.enumerated().reversed() {
        guard let ticket = client.waiting, let decision = fixture.decide(ticket) else { continue }
        isDone = false
        switch decision {
        case .granted where ticket == client.writing: make(&fixture, &clients, index)
        case .granted: clients[index].waiting = nil
        case .aborted:
          if let id = client.id { fixture.end(id) }
          clients.remove(at: index)
        case .cancelled:
          clients[index].waiting = nil
          clients[index].writing = nil
          if client.id == nil { clients.remove(at: index) }
        }
      }
    }
  }

  private func make(_ fixture: inout TableFixture, _ clients: inout [Client], _ index: Int) {
    guard let ticket = clients[index].writing else { return }
    let record = DocumentRecord(
      createVersion: 1, updateVersion: 1, fields: StoredFields(MapValue()))
    let changes = clients[index].paths.map {
      DocumentChange(path: name($0).path, before: nil, after: record)
    }
    guard fixture.table.admits(ticket, changes, at: fixture.now) else { return }
    for (number, held) in fixture.table.predicates
    where held.waitsFor.isEmpty && held.owner != fixture.table.requests[ticket]?.owner {
      #expect(
        !changes.contains { held.predicate.matches($0, in: Fixture.database) },
        "\(number) is broken")
    }
    fixture.finish(ticket)
    if let id = clients[index].id { fixture.end(id) }
    clients.remove(at: index)
    fixture.pass(.zero)
  }

  private func check(_ fixture: TableFixture) {
    for line in fixture.table.lines.values {
      guard let active = line.active, let owner = fixture.table.requests[active]?.owner else {
        continue
      }
      #expect(line.holders.allSatisfy { $0 == owner })
    }
  }

  /// Ends whoever does not wait, one after the other: nobody is left, and no time has passed.
  private func drain(_ fixture: inout TableFixture, _ clients: inout [Client]) {
    while !clients.isEmpty {
      sort(&fixture, &clients)
      guard !clients.isEmpty else { return }
      guard let index = clients.firstIndex(where: { $0.waiting == nil }) else {
        Issue.record("all wait")
        return
      }
      if let id = clients[index].id { fixture.end(id) }
      clients.remove(at: index)
    }
  }
}
