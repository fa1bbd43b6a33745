import Coding
import FirestoreEngine
import FirestoreListen
import FirestoreModel
import Synchronization
import Testing

@Suite("Resumed targets")
struct ResumeTests {
  /// Listens to `asked`, leaves, lets `between` happen, comes back with what it knows, and gives the log of the second time.
  private func resumed(
    _ asked: StructuredQuery, in fixture: ListenFixture,
    expectedCount: (Int) -> Int? = { _ in nil },
    resume: (ListenMoment) -> ListenTarget.Resume = { .token($0.token.bytes) },
    between: () async throws -> Void
  ) async throws -> [String] {
    var moment: ListenMoment?
    var known: [DocumentName: Document] = [:]
    try await fixture.withClient { client in
      await client.add(2, try selection(asked))
      try await client.wait { $0.snapshots == 1 }
      known = client.shown(2)
      moment = client.state.withLock { $0.moment }
    }
    try await between()
    var log: [String] = []
    let token = try #require(moment)
    try await fixture.withClient { client in
      await client.add(
        2, try selection(asked), resume: resume(token), knowing: known,
        expectedCount: expectedCount(known.count))
      try await client.wait { $0.snapshots == 1 }
      #expect(client.shown(2) == (try await fixture.results(of: asked)))
      #expect(client.problems.isEmpty)
      log = client.log
    }
    return log
  }

  private static let n1 = Filter.field(field("n"), .equal(.integer(1)))

  private func filled() async throws -> ListenFixture {
    let fixture = try ListenFixture()
    try await fixture.commit(
      set("c/a", ["n": 1]), set("c/b", ["n": 1]), set("c/d", ["n": 1]), set("c/z", ["n": 2]))
    return fixture
  }

  @Test(
    "only what changed comes: news, what left, deletions; by token and by read time",
    arguments: [true, false])
  func changes(byToken: Bool) async throws {
    let fixture = try await filled()
    let log = try await resumed(
      query(filter: Self.n1), in: fixture,
      resume: { byToken ? .token($0.token.bytes) : .readTime($0.readTime) }
    ) {
      try await fixture.commit(set("c/a", ["n": 2]))
      try await fixture.commit(delete("c/b"))
      try await fixture.commit(set("c/e", ["n": 1]), set("c/y"))
      try await fixture.commit(set("c/x", ["n": 1]))
      try await fixture.commit(delete("c/x"))
    }
    #expect(
      log == [
        "add 2", "change c/a [] [2]", "delete c/b [2]", "change c/e [2] []", "current [2]",
        "snapshot",
      ])
  }

  @Test("nothing changed, nothing comes")
  func unchanged() async throws {
    let log = try await resumed(query(), in: try await filled(), expectedCount: { $0 }) {}
    #expect(log == ["add 2", "current [2]", "snapshot"])
  }

  @Test("a limit: the window then and now")
  func limit() async throws {
    let fixture = try await filled()
    let log = try await resumed(query(limit: 2), in: fixture) {
      try await fixture.commit(delete("c/a"))
    }
    #expect(log == ["add 2", "delete c/a [2]", "change c/d [2] []", "current [2]", "snapshot"])
  }

  @Test("another count gives a filter, with names where the client has any")
  func expectedCount() async throws {
    let fixture = try await filled()
    let asked = query()
    try await fixture.withClient { client in
      await client.add(2, try selection(asked))
      try await client.wait { $0.snapshots == 1 }
      var known = client.shown(2)
      let stale = name("c/q")
      known[stale] = known[name("c/a")]
      let token = client.token
      try await fixture.withClient { second in
        await second.add(
          2, try selection(asked), resume: .token(token), knowing: known, expectedCount: 5)
        try await second.wait { $0.snapshots == 1 }
        #expect(second.log == ["add 2", "filter 4", "current [2]", "snapshot"])
        #expect(second.shown(2) == (try await fixture.results(of: asked)))
      }
    }
  }

  @Test(
    "tokens of other lives, from the future, and what is none: RESET",
    arguments: [
      [], [1, 2, 3], ResumeToken(incarnation: 1, version: 1).bytes,
      ResumeToken(incarnation: .max, version: .max).bytes,
    ])
  func reset(token: [UInt8]) async throws {
    let log = try await resumed(query(), in: try await filled(), resume: { _ in .token(token) }) {}
    #expect(log.prefix(3) == ["add 2", "reset [2]", "change c/a [2] []"])
  }

  @Test("the newest commit is not the future, what is behind it is")
  func newest() async throws {
    let log = try await resumed(
      query(), in: try await filled(),
      resume: { moment in
        var token = moment.token
        token.version += 1
        return .token(token.bytes)
      }
    ) {}
    #expect(log.contains("reset [2]"))
    let future = try await resumed(
      query(), in: try await filled(),
      resume: { .readTime(Timestamp(microseconds: $0.readTime.microseconds + 1_000_000)) }
    ) {}
    #expect(future.contains("reset [2]"))
  }

  @Test("after a clearing: RESET")
  func cleared() async throws {
    let fixture = try await filled()
    let log = try await resumed(query(), in: fixture) {
      try await fixture.engine.clear(ListenFixture.database)
      try await fixture.commit(set("c/b"))
    }
    #expect(log == ["add 2", "reset [2]", "change c/b [2] []", "current [2]", "snapshot"])
  }

  @Test("more than 10,000 changes back: the query and a filter")
  func farBack() async throws {
    let fixture = try await filled()
    let log = try await resumed(query(filter: Self.n1), in: fixture, expectedCount: { $0 }) {
      try await fixture.commit(set("c/a", ["n": 3]))
      for start in stride(from: 0, to: 10_000, by: 500) {
        try await fixture.engine.commit(
          ListenFixture.database, (start..<start + 500).map { set("other/\($0)") })
      }
      try await fixture.commit(set("c/e", ["n": 1]))
    }
    #expect(log == ["add 2", "change c/e [2] []", "filter 3", "current [2]", "snapshot"])
  }
}
