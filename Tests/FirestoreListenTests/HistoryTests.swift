import Coding
import FirestoreEngine
import FirestoreListen
import FirestoreModel
import HibachiTesting
import Synchronization
import Testing

/// What listeners show is what queries find, whatever is written.
@Suite("Listeners against queries")
struct HistoryTests {
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
    (0..<random.int(1...4)).map { _ in
      let id = random.int(0...11)
      let path = random.once(in: 4) ? "c/\(id)/s/\(random.int(0...3))" : "c/\(id)"
      guard !random.once(in: 4) else { return delete(path) }
      var fields: [String: Int] = [:]
      if !random.once(in: 5) { fields["n"] = random.int(0...8) }
      if random.once(in: 2) { fields["m"] = random.int(0...1) }
      return set(path, fields)
    }
  }

  @Test("after every commit", arguments: 0..<24)
  func property(seed: Int) async throws {
    var random = SeededGenerator(seed: seed)
    let fixture = try ListenFixture()
    try await fixture.withClient { client in
      var count = 0
      for (index, asked) in Self.queries.enumerated() {
        await client.add(Int32(index + 1), try selection(asked))
      }
      await client.add(50, documents("c/1", "c/2", "c/3"))
      try await client.wait { $0.snapshots == Self.queries.count + 1 }
      for _ in 0..<30 {
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

  /// Several writers keep the sum of a collection at 0 in every commit; listeners come and go, and no snapshot shows another.
  @Test("no snapshot is torn while writers write and listeners come back", arguments: 0..<4)
  func history(seed: Int) async throws {
    let fixture = try ListenFixture()
    let writers = 4
    try await fixture.commit(set("c/0", ["n": 0]))
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for writer in 0..<writers {
        tasks.addTask {
          var random = SeededGenerator(seed: seed * 100 + writer)
          for _ in 0..<200 {
            let amount = random.int(-9...9)
            try await fixture.commit(
              set("c/\(writer)-a", ["n": amount]), set("c/\(writer)-b", ["n": -amount]))
            await Task.yield()
          }
        }
      }
      for listener in 0..<4 {
        tasks.addTask {
          var known: [DocumentName: Document] = [:]
          var token: [UInt8]?
          let limited = listener % 2 == 1
          let asked = query(
            orderBy: limited ? [.init(field("n"))] : [], limit: limited ? 1_000 : nil)
          for round in 0..<12 {
            try await fixture.withClient { client in
              await client.add(
                2, try selection(asked), resume: token.map { .token($0) }, knowing: known)
              try await client.wait { $0.snapshots >= 1 + round % 4 || $0.shown[2]?.count == 9 }
              (known, token) = client.state.withLock {
                ($0.shown[2] ?? [:], $0.moment?.token.bytes)
              }
              #expect(client.problems.isEmpty)
              try Self.checkSum(known)
            }
          }
        }
      }
      try await tasks.waitForAll()
    }
  }

  private static func checkSum(_ documents: [DocumentName: Document]) throws {
    var sum: Int64 = 0
    for document in documents.values {
      guard case .integer(let number)? = try document.fields.value(at: field("n")) else { continue }
      sum += number
    }
    #expect(sum == 0)
  }
}
