import Coding
import FirestoreEngine
import FirestoreListen
import FirestoreModel
import Synchronization
import Testing

@Suite("Listen streams")
struct StreamTests {
  @Test("a new target: ADD, documents in order, CURRENT, a snapshot")
  func initial() async throws {
    let fixture = try ListenFixture()
    try await fixture.commit(set("c/a"), set("c/b"), set("d/a"))
    try await fixture.withClient { client in
      await client.add(2, try selection(query()))
      try await client.wait { $0.snapshots == 1 }
      #expect(
        client.log == [
          "add 2", "change c/a [2] []", "change c/b [2] []", "current [2]", "snapshot",
        ])
    }
  }

  @Test("documents: one message for several targets, missing ones as deletions")
  func documentTargets() async throws {
    let fixture = try ListenFixture()
    try await fixture.commit(set("c/a"))
    try await fixture.withClient { client in
      await client.add(2, documents("c/a", "c/b"))
      try await client.wait { $0.snapshots == 1 }
      await client.add(4, try selection(query()))
      try await client.wait { $0.snapshots == 2 }
      let before = client.log.count
      try await fixture.commit(set("c/b"))
      try await client.wait { $0.snapshots == 3 }
      try await fixture.commit(delete("c/b"))
      try await client.wait { $0.snapshots == 4 }
      #expect(
        client.log == [
          "add 2", "change c/a [2] []", "delete c/b [2]", "current [2]", "snapshot", "add 4",
          "change c/a [4] []", "current [4]", "snapshot", "change c/b [2, 4] []", "snapshot",
          "delete c/b [2, 4]", "snapshot",
        ])
      #expect(before == 9)
    }
  }

  @Test("a document that leaves a filter goes with its new content")
  func leaving() async throws {
    let fixture = try ListenFixture()
    try await fixture.commit(set("c/a", ["n": 1]))
    try await fixture.withClient { client in
      await client.add(
        2, try selection(query(filter: .field(field("n"), .equal(.integer(1))))))
      try await client.wait { $0.snapshots == 1 }
      try await fixture.commit(set("c/a", ["n": 2]))
      try await client.wait { $0.snapshots == 2 }
      #expect(client.log.suffix(2) == ["change c/a [] [2]", "snapshot"])
      #expect(client.shown(2).isEmpty)
    }
  }

  @Test("what changes nothing, and other collections, are silent")
  func silence() async throws {
    let fixture = try ListenFixture()
    try await fixture.commit(set("c/a", ["n": 1]))
    try await fixture.withClient { client in
      await client.add(2, try selection(query()))
      try await client.wait { $0.snapshots == 1 }
      try await fixture.commit(set("c/a", ["n": 1]))
      try await fixture.commit(set("d/a", ["n": 1]))
      try await fixture.commit(set("c/b"))
      try await client.wait { $0.snapshots == 2 }
      #expect(client.log.suffix(2) == ["change c/b [2] []", "snapshot"])
    }
  }

  @Test("a limit refills from behind and pushes out")
  func limit() async throws {
    let fixture = try ListenFixture()
    try await fixture.commit(set("c/a", ["n": 1]), set("c/b", ["n": 2]), set("c/d", ["n": 3]))
    try await fixture.withClient { client in
      await client.add(2, try selection(query(orderBy: [.init(field("n"))], limit: 2)))
      try await client.wait { $0.snapshots == 1 }
      try await fixture.commit(delete("c/a"))
      try await client.wait { $0.snapshots == 2 }
      #expect(client.log.suffix(3) == ["delete c/a [2]", "change c/d [2] []", "snapshot"])
      try await fixture.commit(set("c/e", ["n": 0]))
      try await client.wait { $0.snapshots == 3 }
      #expect(client.log.suffix(3) == ["out c/d [2]", "change c/e [2] []", "snapshot"])
    }
  }

  @Test("ids: removed and used again, chosen here, in use, negative")
  func ids() async throws {
    let fixture = try ListenFixture()
    try await fixture.withClient { client in
      await client.add(2, documents("c/a"), once: true)
      try await client.wait { $0.targets[2]?.isOver == true }
      await client.add(2, documents("c/a"))
      await client.stream.receive(.remove(2))
      await client.stream.receive(.remove(7))
      await client.add(2, documents("c/a"))
      try await client.wait { $0.snapshots == 3 }
      #expect(
        client.log.filter { !$0.hasPrefix("delete") && $0 != "snapshot" } == [
          "add 2", "current [2]", "remove 2", "add 2", "current [2]", "remove 2", "add 2",
          "current [2]",
        ])
      await client.add(2, documents("c/a"))
      try await client.wait { $0.end != nil }
      #expect(client.state.withLock { $0.end??.code } == .invalidArgument)
    }
    try await fixture.withClient { client in
      await client.add(0, documents("c/a"))
      await client.add(0, documents("c/a"))
      await client.add(9, documents("c/a"))
      try await client.wait { $0.targets[9]?.isOver == true }
      #expect(
        client.log.filter { $0.hasPrefix("add") || $0.hasPrefix("rem") } == [
          "add 1", "add 2", "remove 9 invalidArgument",
        ])
      await client.add(-1, documents("c/a"))
      try await client.wait { $0.end != nil }
    }
  }

  @Test(
    "what cannot be listened to ends its target alone",
    arguments: [
      (StructuredQuery(), "All-collection queries are not supported by real-time queries."),
      (
        query(limit: -1), "limit is negative"
      ),
    ])
  func refused(asked: StructuredQuery, text: String) async throws {
    let fixture = try ListenFixture()
    try await fixture.withClient { client in
      let selection = Result { () throws(FirestoreError) in
        ListenTarget.Selection.query(try ListenQuery(asked, parent: .root))
      }
      await client.stream.receive(.add(ListenTarget(id: 3, selection: selection)))
      await client.add(4, documents("c/a"))
      try await client.wait { $0.snapshots == 1 }
      #expect(client.log.prefix(3) == ["add 3", "remove 3 invalidArgument", "add 4"])
      #expect(client.target(3).removed?.message == text)
    }
    #expect(throws: FirestoreError.self) {
      try ListenQuery(
        query(group: true),
        parent: ParentName(
          database: ListenFixture.database, document: name("x/y").path))
    }
  }

  @Test("clearing shows as deletions, and life goes on")
  func clearing() async throws {
    let fixture = try ListenFixture()
    try await fixture.commit(set("c/a"), set("c/b"))
    try await fixture.withClient { client in
      await client.add(2, try selection(query()))
      await client.add(4, documents("c/a", "c/x"))
      await client.add(6, try selection(query(limit: 1)))
      try await client.wait { $0.snapshots == 3 }
      try await fixture.engine.clear(ListenFixture.database)
      try await client.wait { $0.snapshots == 4 }
      for id: Int32 in [2, 4, 6] {
        #expect(client.shown(id).isEmpty && client.target(id).isCurrent)
      }
      try await fixture.commit(set("c/b"))
      try await client.wait { $0.snapshots == 5 }
      #expect(client.shown(2).count == 1 && client.shown(6).count == 1)
      #expect(client.problems.isEmpty)
    }
  }

  @Test(
    "a silent stream shows the moment now and then, with a token for what was committed elsewhere")
  func refresh() async throws {
    let fixture = try ListenFixture()
    try await fixture.withClient { client in
      await client.add(2, try selection(query()))
      try await client.wait { $0.snapshots == 1 }
      let first = try #require(client.state.withLock { $0.moment })
      fixture.pass(seconds: 20)
      let elsewhere = try await fixture.commit(set("other/a"))
      fixture.pass(seconds: 20)
      try await client.wait { $0.snapshots == 2 }
      let second = try #require(client.state.withLock { $0.moment })
      #expect(second.token.version == elsewhere && second.token.incarnation != 0)
      #expect(second.readTime.microseconds >= first.readTime.microseconds + 40_000_000)
      // The moment that was shown is no reason to lose what comes after it.
      try await fixture.commit(set("c/a"))
      try await client.wait { $0.snapshots == 3 }
      #expect(client.shown(2).count == 1 && client.problems.isEmpty)
      #expect(client.log.filter { $0 == "snapshot" }.count == 3)
    }
  }

  @Test("a stream without targets stays silent")
  func refreshOfNothing() async throws {
    let fixture = try ListenFixture()
    try await fixture.withClient { client in
      await client.add(2, documents("c/a"), once: true)
      try await client.wait { $0.snapshots == 1 }
      fixture.pass(seconds: 100)
      await client.add(4, documents("c/a"))
      try await client.wait { $0.targets[4]?.isCurrent == true }
      #expect(client.log.filter { $0 == "snapshot" }.count == 2)
    }
  }

  @Test("the hub's end ends streams with UNAVAILABLE, the client's without an error")
  func ends() async throws {
    let fixture = try ListenFixture()
    try await fixture.withClient { client in
      await client.add(2, documents("c/a"))
      client.stream.end()
      try await client.wait { $0.end != nil }
      #expect(client.state.withLock { $0.end } == .some(nil))
      #expect(client.log.last == "snapshot")
    }
    try await fixture.withClient { client in
      fixture.hub.close()
      try await client.wait { $0.end != nil }
      #expect(client.state.withLock { $0.end??.code } == .unavailable)
    }
  }

  @Test("a client that stalls gets what it missed from the store")
  func stalls() async throws {
    let fixture = try ListenFixture()
    try await fixture.commit(set("c/a", ["n": 0]), set("c/gone"))
    let limited = query(orderBy: [.init(field("n"))], limit: 1)
    try await fixture.withClient { client in
      await client.add(2, try selection(query()))
      await client.add(4, try selection(limited))
      await client.add(6, documents("c/a", "c/gone"))
      try await client.wait { $0.snapshots == 3 }
      client.stall(true)
      try await fixture.commit(delete("c/gone"))
      for number in 1...5_000 { try await fixture.commit(set("c/a", ["n": number])) }
      try await fixture.commit(set("c/b", ["n": 1]))
      client.stall(false)
      let version = try await fixture.commit(set("c/d"))
      try await client.wait(for: version)
      try await client.wait { $0.shown[2]?.count == 3 }
      #expect(client.shown(2) == (try await fixture.results(of: query())))
      #expect(client.shown(4) == (try await fixture.results(of: limited)))
      #expect(client.shown(6).keys.map(\.text) == [name("c/a").text])
      #expect(client.state.withLock { $0.snapshots } < 20)
    }
  }
}
