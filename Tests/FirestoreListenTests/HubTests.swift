import Coding
import FirestoreEngine
import FirestoreModel
import Testing

@testable import FirestoreListen

@Suite("The index of targets")
struct TargetIndexTests {
  private static func keys(
    _ index: TargetIndex, _ paths: String...
  ) -> Set<Set<UInt64>> {
    Set(
      index.groups(lookingAt: paths.map { name($0).path }).map { found in
        Set(found.group.listeners.keys.map(\.number))
      })
  }

  private static func key(_ number: UInt64) -> TargetKey { TargetKey(number: number) }

  @Test("targets that select the same are one group, until the last is gone")
  func groups() throws {
    var index = TargetIndex()
    let stream = try ListenFixture().stream()
    let first = try selection(query(filter: .field(field("n"), .equal(.integer(1)))))
    let other = try selection(query(filter: .field(field("n"), .equal(.double(1)))))
    for (number, selection) in [(1, first), (2, other), (3, first)] {
      index.insert(selection, Self.key(UInt64(number)), stream)
    }
    #expect(Self.keys(index, "c/a") == [[1, 3], [2]])
    index.remove(first, Self.key(1))
    #expect(Self.keys(index, "c/a") == [[2], [3]])
    index.remove(first, Self.key(3))
    index.remove(first, Self.key(3))
    #expect(Self.keys(index, "c/a") == [[2]])
    index.remove(other, Self.key(2))
    #expect(index.isEmpty)
  }

  @Test("a document finds those who look at it, its collection and its collection group")
  func places() throws {
    var index = TargetIndex()
    let stream = try ListenFixture().stream()
    let selections = [
      documents("c/a", "c/b", "c/a"), try selection(query("c")),
      try selection(query("c", group: true)), try selection(query("d")),
    ]
    for (number, selection) in selections.enumerated() {
      index.insert(selection, Self.key(UInt64(number)), stream)
    }
    #expect(Self.keys(index, "c/a") == [[0], [1], [2]])
    #expect(Self.keys(index, "c/z") == [[1], [2]])
    #expect(Self.keys(index, "x/y/c/a") == [[2]])
    #expect(Self.keys(index, "e/a").isEmpty)
    let both = index.groups(lookingAt: [name("d/a").path, name("c/a").path, name("c/b").path])
    #expect(Set(both.map(\.places)) == [[0], [1, 2]])
    for (number, selection) in selections.enumerated() {
      index.remove(selection, Self.key(UInt64(number)))
    }
    #expect(index.isEmpty && Self.keys(index, "c/a", "d/a").isEmpty)
  }
}

@Suite("The hub")
struct ListenHubTests {
  private static func news(of stream: ListenStream, _ hub: ListenHub) -> [TargetNews] {
    guard case .all(let deliveries) = stream.inbox.takeCommits(upTo: hub.seen) else { return [] }
    return deliveries.compactMap { delivery in
      if case .news(let news, for: _) = delivery.content { news } else { nil }
    }
  }

  @Test("a commit is matched once and its messages are made once for all who listen to the same")
  func sharing() async throws {
    let fixture = try ListenFixture()
    let asked = { try selection(query(filter: .field(field("n"), .greaterThan(.integer(1))))) }
    let streams = [fixture.stream(), fixture.stream(), fixture.stream()]
    let others = [try asked(), try asked(), try selection(query())]
    var targets: [ActiveTarget] = []
    for (stream, selection) in zip(streams, others) {
      let key = fixture.hub.subscribe(stream, to: selection, in: ListenFixture.database)
      targets.append(ActiveTarget(id: 2, key: key, selection: selection))
    }
    let version = try await fixture.commit(set("c/a", ["n": 1]), set("c/b", ["n": 2]))
    let news = streams.flatMap { Self.news(of: $0, fixture.hub) }
    #expect(news.count == 3 && news[0] === news[1] && news[0] !== news[2])
    #expect(news[0].changes.map(\.name) == [name("c/a"), name("c/b")])
    #expect(zip(news[0].changes, news[2].changes).allSatisfy { $0 === $1 })
    let moment = ListenMoment(
      readTime: Timestamp(microseconds: version),
      token: ResumeToken(incarnation: version, version: version))
    let batches = zip(news, targets).map { $0.batch(for: $1, at: moment) }
    #expect(batches[0] === batches[1] && batches[0]?.messages.count == 2)
    #expect(batches[2]?.messages.count == 3)
    var encoded = 0
    for _ in 0..<2 {
      let bytes = batches[0]?.bytes(.protobuf) { _ in
        encoded += 1
        return [1]
      }
      #expect(bytes == [1])
    }
    #expect(encoded == 1)
  }

  @Test("commits elsewhere come to nobody")
  func elsewhere() async throws {
    let fixture = try ListenFixture()
    let stream = fixture.stream()
    _ = fixture.hub.subscribe(stream, to: try selection(query()), in: ListenFixture.database)
    try await fixture.commit(set("other/a"))
    try await fixture.commit(set("x/y/c/a"))
    #expect(Self.news(of: stream, fixture.hub).isEmpty)
  }
}

@Suite("The inbox of a stream")
struct ListenInboxTests {
  private static func delivery(_ version: Int64, changes: Int = 1) throws -> Delivery {
    let change = ListenChange(name: name("c/a"), before: nil, after: nil)
    let news = TargetNews(
      Array(repeating: change, count: changes), for: try selection(query()))
    return Delivery(
      version: version, incarnation: 1, content: .news(news, for: TargetKey(number: 1)))
  }

  private static func versions(_ commits: ListenInbox.Commits) -> [Int64]? {
    switch commits {
    case .all(let deliveries): deliveries.map(\.version)
    case .overflow: nil
    }
  }

  @Test("only whole commits are taken, and the first part of each says that it is the first")
  func parts() throws {
    let inbox = ListenInbox()
    #expect(inbox.deliver(try Self.delivery(5)))
    #expect(!inbox.deliver(try Self.delivery(5)))
    #expect(inbox.deliver(try Self.delivery(6)))
    #expect(Self.versions(inbox.takeCommits(upTo: 4)) == [])
    #expect(Self.versions(inbox.takeCommits(upTo: 5)) == [5, 5])
    #expect(Self.versions(inbox.takeCommits(upTo: 9)) == [6])
  }

  @Test("beyond the bound commits are dropped, and the rest of one that was cut goes too")
  func overflow() throws {
    let inbox = ListenInbox(changeLimit: 2)
    #expect(inbox.deliver(try Self.delivery(5)))
    #expect(inbox.deliver(try Self.delivery(6, changes: 2)))
    #expect(Self.versions(inbox.takeCommits(upTo: 5)) == nil)
    #expect(!inbox.deliver(try Self.delivery(6)))
    #expect(Self.versions(inbox.takeCommits(upTo: 6)) == nil)
    #expect(inbox.deliver(try Self.delivery(7)))
    #expect(Self.versions(inbox.takeCommits(upTo: 7)) == [7])
  }

  @Test("bytes are bounded too")
  func bytes() throws {
    let inbox = ListenInbox(byteLimit: 300)
    _ = inbox.deliver(try Self.delivery(5))
    #expect(Self.versions(inbox.takeCommits(upTo: 5)) == [5])
    for version: Int64 in 6...8 { _ = inbox.deliver(try Self.delivery(version)) }
    #expect(Self.versions(inbox.takeCommits(upTo: 8)) == nil)
  }

  @Test("requests come before the end, both before commits, and an error before everything")
  func order() async throws {
    let inbox = ListenInbox()
    func next() async throws -> String {
      switch try await inbox.next() {
      case .commits: "commits"
      case .judge: "judge"
      case .refresh: "refresh"
      case .request(.remove(let id)): "remove \(id)"
      case .request(.add(let target)): "add \(target.id)"
      case .end(let error): "end \(error.map { "\($0.code)" } ?? "")"
      }
    }
    inbox.refresh()
    _ = inbox.deliver(try Self.delivery(5))
    inbox.wake()
    inbox.judge()
    await inbox.put(.remove(3))
    #expect(try await next() == "remove 3")
    #expect(try await next() == "judge")
    #expect(try await next() == "commits")
    #expect(try await next() == "refresh")
    await inbox.put(.remove(4))
    inbox.end(nil)
    #expect(try await next() == "remove 4")
    #expect(try await next() == "end ")
    inbox.end(FirestoreError(.unavailable, ""))
    #expect(try await next() == "end unavailable")
  }
}

@Suite("Work on a stream")
struct WorkStateTests {
  @Test("begins once, and goes on with what comes meanwhile")
  func work() {
    var state = WorkState()
    let begun = [state.begin(), state.begin(), state.begin()]
    let ended = [state.end(), state.end()]
    #expect(begun == [true, false, false] && ended == [false, true])
    let again = [state.begin(), state.end()]
    #expect(again == [true, true])
  }
}

@Suite("Open streams")
struct StreamRingTests {
  @Test("come up once each in a round, and not when they are gone")
  func rounds() throws {
    var ring = StreamRing()
    let fixture = try ListenFixture()
    let streams = (0..<100).map { _ in fixture.stream() }
    func round() -> [ObjectIdentifier] {
      (0..<StreamRing.partCount).flatMap { _ in ring.next() }.map { ObjectIdentifier($0) }
    }
    for stream in streams { ring.insert(stream) }
    #expect(Set(round()) == Set(streams.map { ObjectIdentifier($0) }) && round().count == 100)
    for stream in streams.dropFirst() { ring.remove(stream) }
    #expect(round() == [ObjectIdentifier(streams[0])] && ring.all.count == 1)
    ring.remove(streams[0])
    #expect(ring.isEmpty && round().isEmpty)
  }
}
