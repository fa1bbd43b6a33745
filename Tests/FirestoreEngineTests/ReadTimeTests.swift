import Coding
import FirestoreEngine
import FirestoreModel
import KeyValue
import Testing

@Suite("Reads at a time")
struct ReadTimeTests {
  @Test("which times are refused")
  func refused() async throws {
    let fixture = try Fixture()
    try await fixture.commit(set("c/a"))
    let now = Timestamp(microseconds: ManualTime.start)
    let cases: [(Timestamp, FirestoreError)] = [
      (
        Timestamp(seconds: now.seconds, nanos: 1),
        .invalidArgument("timestamp cannot have more than microseconds precision")
      ),
      (
        Timestamp(seconds: now.seconds + 5, nanos: 0),
        .invalidArgument("The requested 'read_time' cannot be in the future.")
      ),
      (
        Timestamp(seconds: now.seconds - 3_601, nanos: 0),
        FirestoreError(.failedPrecondition, "The requested 'read_time' is too old.")
      ),
      (
        Timestamp(seconds: .min, nanos: 0),
        FirestoreError(.failedPrecondition, "The requested 'read_time' is too old.")
      ),
      (
        Timestamp(seconds: .max, nanos: 0),
        .invalidArgument("The requested 'read_time' cannot be in the future.")
      ),
    ]
    for (time, expected) in cases {
      let error = await #expect(throws: FirestoreError.self) {
        try await fixture.engine.point(at: time)
      }
      #expect(error == expected)
    }
    #expect(try await fixture.engine.point(at: now).version == ManualTime.start)
  }

  @Test("a time that was accepted is in the past of later commits")
  func accepted() async throws {
    let fixture = try Fixture()
    fixture.time.advance(seconds: 10)
    let time = Timestamp(microseconds: fixture.time.now)
    let point = try await fixture.engine.point(at: time)
    fixture.time.advance(seconds: -5)
    #expect(try await fixture.commit(set("c/a")).commitTime > time)
    let document = try fixture.engine.read(Fixture.database, at: point) {
      try $0.document(name("c/a").path)
    }
    #expect(document == nil)
  }

  @Test("reads among concurrent commits stay true")
  func concurrent() async throws {
    let fixture = try Fixture()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for index in 0..<50 {
            try await fixture.commit(
              set("c/w\(writer)", ["n": .integer(Int64(index))]), set("c/all\(writer)-\(index)"))
          }
        }
      }
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<50 {
            let path = CollectionPath(segments: ["c"])
            let look = { (view: DatabaseView) in
              (
                view.point,
                try view.range(of: path).map {
                  try view.scan($0, .ascending, limit: 1_000).rows.map(\.record)
                } ?? []
              )
            }
            let (point, before) = try fixture.engine.read(Fixture.database, look)
            #expect(before.allSatisfy { $0.updateVersion <= point.version })
            await Task.yield()
            let (_, after) = try fixture.engine.read(Fixture.database, at: point, look)
            #expect(before == after)
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
