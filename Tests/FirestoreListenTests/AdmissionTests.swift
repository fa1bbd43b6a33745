import Coding
import FirestoreEngine
import FirestoreListen
import FirestoreModel
import Synchronization
import Testing

@Suite("What a client may see")
struct AdmissionTests {
  /// The moments that somebody has looked at.
  private final class Moments: Sendable {
    private let versions = Mutex<Set<Int64>>([])
    var all: Set<Int64> { versions.withLock { $0 } }
    func note(_ version: Int64) { versions.withLock { _ = $0.insert(version) } }
  }

  @Test(
    "is judged at each moment that it is shown, and at no other",
    arguments: ListenFixture.Mode.allCases)
  func moments(mode: ListenFixture.Mode) async throws {
    let (judged, shown) = (Moments(), Moments())
    var fixture = try ListenFixture()
    fixture.isBound = true
    fixture.admit = { (_, point) in point.map { judged.note($0.version) } }
    try await fixture.commit(set("c/a"))
    try await fixture.withClient(mode) { client in
      client.state.withLock {
        $0.onSnapshot = { (moment, _) in shown.note(moment.readTime.microseconds) }
      }
      await client.add(2, documents("c/a"))
      await client.add(4, try selection(query(limit: 2)))
      try await client.wait { $0.snapshots == 2 }
      for number in 1...20 {
        let version = try await fixture.commit(set("c/a", ["n": number]))
        if number % 5 == 0 { try await client.wait(for: version) }
      }
      // More than is kept for a stream: the store tells what there is by then.
      client.stall(true)
      for round in 1...5 {
        try await fixture.engine.commit(
          ListenFixture.database, (0..<1_000).map { set("c/\($0)", ["n": round]) })
      }
      client.stall(false)
      let version = try await fixture.commit(set("c/a", ["n": 0]))
      try await client.wait(for: version)
      #expect(judged.all == shown.all)
    }
  }

  @Test(
    "of what is refused in between nothing is told, nor when the client had lagged behind",
    arguments: ListenFixture.Mode.allCases, [1, 5])
  func refused(mode: ListenFixture.Mode, rounds: Int) async throws {
    let isOpen = Atomic<Bool>(true)
    var fixture = try ListenFixture()
    fixture.isBound = true
    fixture.admit = { (selection, _) throws(FirestoreError) in
      guard case .documents = selection, !isOpen.load(ordering: .acquiring) else { return }
      throw FirestoreError(.permissionDenied, "")
    }
    try await fixture.withClient(mode) { client in
      await client.add(2, documents("c/0"))
      await client.add(4, try selection(query()))
      try await client.wait { $0.snapshots == 2 }
      client.stall(true)
      isOpen.store(false, ordering: .releasing)
      for round in 1...rounds {
        try await fixture.engine.commit(
          ListenFixture.database, (0..<1_000).map { set("c/\($0)", ["n": round]) })
      }
      client.stall(false)
      try await client.wait { $0.shown[4]?.count == 1_000 }
      #expect(client.target(2).removed?.code == .permissionDenied)
      #expect(client.target(2).documents.isEmpty)
      #expect(client.problems.isEmpty)
    }
  }
}
