import Coding
import FirestoreEngine
import FirestoreListen
import FirestoreModel
import Foundation
import HibachiTesting
import Synchronization
import Testing

/// What listeners show is what queries find, whatever is written.
///
/// A million events take a few minutes: `HIBACHI_LISTEN_EVENTS=1000000 swift test --filter FirestoreListenTests.HistoryTests`.
@Suite("Listeners against queries")
struct HistoryTests {
  /// Documents that the clients of a test are told of, all together, at least.
  static let events =
    ProcessInfo.processInfo.environment["HIBACHI_LISTEN_EVENTS"].flatMap { Int($0) } ?? 0
  private static let seeds = 24

  static let queries: [StructuredQuery] = [
    query(),
    query(filter: .field(field("n"), .greaterThan(.integer(3)))),
    query(orderBy: [.init(field("n"), .descending)]),
    query(orderBy: [.init(field("n"))], limit: 3),
    query(filter: .field(field("m"), .equal(.integer(0))), orderBy: [.init(field("n"))], limit: 2),
    query("c", group: true),
    query("s", group: true, filter: .field(field("n"), .lessThan(.integer(5)))),
    query(limit: 4),
    query(orderBy: [.init(field("n"))], limit: 2, offset: 2),
    query(orderBy: [.init(field("n"), .descending)], limit: 1),
  ]

  static func randomWrites(_ random: inout SeededGenerator) -> [Write] {
    (0..<random.int(1...(events > 0 ? 12 : 4))).map { _ in
      let id = random.int(0...11)
      let path = random.once(in: 4) ? "c/\(id)/s/\(random.int(0...3))" : "c/\(id)"
      guard !random.once(in: 4) else { return delete(path) }
      var fields: [String: Int] = [:]
      if !random.once(in: 5) { fields["n"] = random.int(0...8) }
      if random.once(in: 2) { fields["m"] = random.int(0...1) }
      return set(path, fields)
    }
  }

  @Test("after every commit", arguments: 0..<seeds)
  func property(seed: Int) async throws {
    var random = SeededGenerator(seed: seed)
    let fixture = try ListenFixture()
    try await fixture.withClient(ListenFixture.Mode.allCases[seed % 3]) { client in
      var count = 0
      for (index, asked) in Self.queries.enumerated() {
        await client.add(Int32(index + 1), try selection(asked))
      }
      await client.add(50, documents("c/1", "c/2", "c/3"))
      try await client.wait { $0.snapshots == Self.queries.count + 1 }
      var rounds = 0
      while rounds < 30 || client.state.withLock({ $0.events }) < Self.events / Self.seeds {
        rounds += 1
        if random.once(in: 25) { try await fixture.engine.clear(ListenFixture.database) }
        try await fixture.engine.commit(
          ListenFixture.database, Self.randomWrites(&random))
        // A change in any case, that the first target sees.
        count += 1
        let version = try await fixture.commit(set("c/1", ["n": random.int(0...9), "v": count]))
        try await client.wait(for: version)
        for (index, asked) in Self.queries.enumerated() {
          let found = try await fixture.results(of: asked)
          #expect(client.shown(Int32(index + 1)) == found, "query \(index)")
        }
      }
      #expect(client.problems.isEmpty)
    }
  }

  /// Several writers write and listeners come and go. What each snapshot showed must be what the commits up to its moment make,
  /// all of them and no others; nothing comes twice, and no moment is earlier than the one before, over all streams of a listener.
  @Test("every snapshot shows a moment of history", arguments: 0..<4)
  func history(seed: Int) async throws {
    let fixture = try ListenFixture()
    let history = History()
    history.note(try await fixture.commit(set("c/0", ["n": 5])), [("c/0", 5)])
    let goal = max(2_000, Self.events / 4)
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for writer in 0..<4 {
        tasks.addTask {
          var random = SeededGenerator(seed: seed * 100 + writer)
          while history.listeners.load(ordering: .relaxed) > 0 {
            let paths = (0..<random.int(1...3)).map { "c/\(writer)-\(random.int(0...2) * 3 + $0)" }
            let states = paths.map { ($0, random.once(in: 4) ? nil : random.int(-9...9)) }
            let writes = states.map { path, n in n.map { set(path, ["n": $0]) } ?? delete(path) }
            let result = try await fixture.engine.commit(ListenFixture.database, writes)
            history.note(result.commitTime.microseconds, states)
            await Task.yield()
          }
        }
      }
      for (number, asked) in History.queries.enumerated() {
        for listener in 0..<2 {
          tasks.addTask {
            try await Self.listen(
              to: asked, number, in: fixture, history, goal,
              SeededGenerator(seed: seed * 100 + 50 + number * 2 + listener))
          }
        }
      }
      try await tasks.waitForAll()
    }
    #expect(history.check() == [])
  }

  /// Listens on one stream after the other, each for some snapshots, and comes back with what it knows.
  private static func listen(
    to asked: StructuredQuery, _ number: Int, in fixture: ListenFixture, _ history: History,
    _ goal: Int, _ seed: SeededGenerator
  ) async throws {
    defer { history.listeners.subtract(1, ordering: .relaxed) }
    var random = seed
    var known: [DocumentName: Document] = [:]
    var token: [UInt8]?
    var last = ListenMoment(
      readTime: Timestamp(microseconds: 0), token: ResumeToken(incarnation: 0, version: 0))
    while history.events.load(ordering: .relaxed) < goal {
      try await fixture.withClient(ListenFixture.Mode.allCases[random.int(0...2)]) { client in
        client.state.withLock { state in
          state.moment = token == nil ? nil : last
          state.onSnapshot = { history.note($0, $1[2] ?? [:], of: number) }
        }
        await client.add(
          2, try selection(asked), resume: token.map { .token($0) }, knowing: known)
        let count = random.int(1...40)
        try await client.wait {
          $0.snapshots >= count
        }
        try client.state.withLock { state in
          history.events.add(state.events, ordering: .relaxed)
          #expect(state.problems == [])
          known = state.shown[2] ?? [:]
          last = try #require(state.moment)
          token = last.token.bytes
        }
      }
    }
  }
}

/// What was committed, and what listeners were shown.
private final class History: Sendable {
  static let queries = [
    query(), query(filter: .field(field("n"), .greaterThan(.integer(0)))),
    query(orderBy: [.init(field("n"))], limit: 3),
    query(orderBy: [.init(field("n"), .descending)], limit: 2),
  ]

  private struct State {
    var commits: [(version: Int64, states: [(path: String, n: Int?)])] = []
    /// What was shown, by the sum of the documents in it.
    var shown: [(version: Int64, query: Int, sum: Int)] = []
  }

  /// Listeners that are at work, for as long as writers write.
  let listeners = Atomic(History.queries.count * 2)
  let events = Atomic(0)
  private let state = Mutex(State())

  func note(_ version: Int64, _ states: [(path: String, n: Int?)]) {
    state.withLock { $0.commits.append((version, states)) }
  }

  func note(_ moment: ListenMoment, _ documents: [DocumentName: Document], of query: Int) {
    let sum = documents.values.reduce(0) { sum, document in
      sum &+ Self.mark(document.name.text, document.updateTime.microseconds)
    }
    state.withLock { $0.shown.append((moment.readTime.microseconds, query, sum)) }
  }

  private static func mark(_ name: String, _ version: Int64) -> Int {
    var hasher = Hasher()
    hasher.combine(name)
    hasher.combine(version)
    return hasher.finalize()
  }

  /// What was shown and never was: few of it, if there is any.
  func check() -> [String] {
    let (commits, shown) = state.withLock { state in
      (
        state.commits.sorted { $0.version < $1.version },
        state.shown.sorted { $0.version < $1.version }
      )
    }
    var documents: [String: (n: Int, version: Int64)] = [:]
    var problems: [String] = []
    var next = 0
    var sums: [Int?] = []
    for snapshot in shown {
      while next < commits.count, commits[next].version <= snapshot.version {
        let commit = commits[next]
        for (path, n) in commit.states {
          // What changes nothing leaves the time of the last change.
          if let n, documents[path]?.n == n { continue }
          documents[path] = n.map { ($0, commit.version) }
        }
        sums = Array(repeating: nil, count: Self.queries.count)
        next += 1
      }
      let sum = sums[snapshot.query] ?? Self.sum(of: documents, Self.queries[snapshot.query])
      sums[snapshot.query] = sum
      if sum != snapshot.sum {
        problems.append("query \(snapshot.query) at \(snapshot.version)")
      }
    }
    return Array(problems.prefix(5))
  }

  private static func sum(
    of documents: [String: (n: Int, version: Int64)], _ query: StructuredQuery
  ) -> Int {
    var results = documents.map { (name: name($0.key), n: $0.value.n, version: $0.value.version) }
    if query.filter != nil { results.removeAll { $0.n <= 0 } }
    let isDescending = query.orderBy.first?.direction == .descending
    results.sort { left, right in
      let order = (left.n, left.name.text) < (right.n, right.name.text)
      return isDescending ? !order : order
    }
    return results.prefix(query.limit ?? results.count).reduce(0) {
      $0 &+ mark($1.name.text, $1.version)
    }
  }
}
