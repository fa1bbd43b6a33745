import Coding
import FirestoreEngine
import FirestoreModel
import KeyValue
import Testing

@Suite("Commits")
struct CommitTests {
  private let one: [String: Value] = ["x": .integer(1)]
  private let two: [String: Value] = ["x": .integer(2)]

  @Test("preconditions and their texts")
  func preconditions() async throws {
    let fixture = try Fixture()
    let stored = try await fixture.commit(set("c/a", one)).commitTime
    let other = Timestamp(microseconds: stored.microseconds - 1)
    let later = Timestamp(microseconds: stored.microseconds + 1)
    let missing = FirestoreError(
      .notFound, "No document to update: projects/p/databases/(default)/documents/c/none")
    let exists = FirestoreError(
      .alreadyExists, "Document already exists: projects/p/databases/(default)/documents/c/a")
    func mismatch(_ stored: Int64, _ wanted: Int64) -> FirestoreError {
      FirestoreError(
        .failedPrecondition,
        "the stored version (\(stored)) does not match the required base version (\(wanted))")
    }
    let cases: [(Write, FirestoreError?)] = [
      (set("c/none", one, if: .exists(true)), missing),
      (delete("c/none", if: .exists(true)), missing),
      (verify("c/none", if: .exists(true)), missing),
      (set("c/a", two, if: .exists(false)), exists),
      (delete("c/a", if: .exists(false)), exists),
      (verify("c/a", if: .exists(false)), exists),
      (
        set("c/a", two, if: .updateTime(other)),
        mismatch(stored.microseconds, other.microseconds)
      ),
      (
        set("c/a", two, if: .updateTime(later)),
        .invalidArgument(
          "Invalid base version, it is greater than the stored version: "
            + "projects/p/databases/(default)/documents/c/a")
      ),
      (delete("c/none", if: .updateTime(later)), mismatch(0, later.microseconds)),
      (verify("c/a", if: nil), .invalidArgument("a verify must contain a precondition")),
      (verify("c/a", if: .updateTime(stored)), nil),
      (verify("c/none", if: .exists(false)), nil),
      (delete("c/none", if: .exists(false)), nil),
      (set("c/a", two, if: .updateTime(stored)), nil),
    ]
    for (write, expected) in cases {
      do {
        try await fixture.commit(set("c/witness", one), write, delete("c/witness"))
        #expect(expected == nil)
      } catch {
        #expect(error as? FirestoreError == expected)
      }
      #expect(try fixture.fields("c/witness") == nil)
    }
    #expect(try fixture.fields("c/a") == two)
  }

  @Test("a document that is verified has no other write")
  func verifications() async throws {
    let fixture = try Fixture()
    try await fixture.commit(set("c/a", one), set("c/b", one))
    let check = verify("c/a", if: .exists(true))
    let cases: [([Write], String?)] = [
      ([set("c/a", two), check], "written and then verified"),
      ([delete("c/a"), check], "written and then verified"),
      ([check, delete("c/a")], "verified and then written"),
      ([check, check], "verified more than once"),
      ([check, set("c/b", one), set("c/b", two)], nil),
    ]
    for (writes, problem) in cases {
      let expected = problem.map {
        FirestoreError.invalidArgument(
          "the same document cannot be \($0) in a single request")
      }
      do {
        try await fixture.engine.commit(Fixture.database, writes)
        #expect(expected == nil)
      } catch {
        #expect(error == expected)
      }
    }
    #expect(try fixture.fields("c/a") == one)
  }

  @Test("a failed write undoes the commit")
  func atomic() async throws {
    let fixture = try Fixture()
    await #expect(throws: FirestoreError.self) {
      try await fixture.commit(set("c/b", one), set("c/a", one, if: .exists(true)))
    }
    #expect(try fixture.fields("c/b") == nil)
    #expect(fixture.events.all.isEmpty)
    #expect(fixture.engine.databases.isEmpty)
  }

  @Test("writes to one document see one another and make one event")
  func sameDocument() async throws {
    let fixture = try Fixture()
    let created = try await fixture.commit(
      set("c/a", one), set("c/a", ["y": .integer(2)], mask: ["y"], if: .exists(true)))
    #expect(created.writeResults.map(\.updateTime) == [created.commitTime, created.commitTime])
    #expect(try fixture.fields("c/a") == ["x": .integer(1), "y": .integer(2)])
    #expect(fixture.events.all.count == 1)

    let replaced = try await fixture.commit(
      delete("c/a"), set("c/a", one, if: .exists(false)))
    let document = try #require(try fixture.engine.document(name("c/a")))
    #expect(document.createTime == replaced.commitTime)
    #expect(replaced.writeResults.map(\.updateTime) == [replaced.commitTime, replaced.commitTime])

    let gone = try await fixture.commit(set("c/b", one), delete("c/b"))
    #expect(gone.writeResults.map(\.updateTime) == [nil, nil])
    #expect(fixture.events.all.count == 2)

    let back = try await fixture.commit(set("c/a", two), set("c/a", one))
    #expect(back.writeResults[0].updateTime == document.updateTime)
    #expect(fixture.events.all.count == 2)

    let error = await #expect(throws: FirestoreError.self) {
      try await fixture.commit(set("c/new", one), set("c/new", two, if: .exists(false)))
    }
    #expect(error?.code == .alreadyExists)
  }

  @Test("deleting a missing document is no event")
  func deleteMissing() async throws {
    let fixture = try Fixture()
    let result = try await fixture.commit(delete("c/a"))
    #expect(result.writeResults.map(\.updateTime) == [nil])
    #expect(fixture.events.all.isEmpty)
  }

  @Test("events tell before and after, in order")
  func feed() async throws {
    let fixture = try Fixture()
    try await fixture.commit(set("c/a", one))
    try await fixture.commit(set("c/b", one), delete("c/a"), set("c/d", one))
    let events = fixture.events.all
    #expect(events.map(\.version) == events.map(\.version).sorted())
    guard case .changes(let changes) = events[1].content else { throw Unexpected() }
    #expect(changes.map(\.path.text) == ["c/b", "c/a", "c/d"])
    #expect(changes.map { $0.before != nil } == [false, true, false])
    #expect(changes.map { $0.after != nil } == [true, false, true])
  }

  struct Unexpected: Error {}

  @Test("times rise while the clock stands still, goes back, and over restarts")
  func times() async throws {
    let fixture = try Fixture()
    var last = try await fixture.commit(set("c/a", one)).commitTime
    #expect(last == Timestamp(microseconds: ManualTime.start))
    for step in [0, 0, -5_000_000, 1] {
      fixture.time.advance(microseconds: Int64(step))
      let next = try await fixture.commit(set("c/a", ["t": .timestamp(last)])).commitTime
      #expect(next > last)
      last = next
    }
    let read = try fixture.engine.read(Fixture.database) { $0.point.time }
    #expect(read >= last)
    #expect(try await fixture.commit(set("c/a", one)).commitTime > read)

    let reopened = try Fixture(store: fixture.store)
    reopened.time.advance(seconds: -100)
    #expect(try await reopened.commit(set("c/a", two)).commitTime > read)
    #expect(try reopened.fields("c/a") == two)
  }

  @Test("an empty commit gives a time")
  func empty() async throws {
    let fixture = try Fixture()
    let first = try await fixture.commit()
    #expect(first.writeResults.isEmpty)
    #expect(try await fixture.commit().commitTime > first.commitTime)
    #expect(fixture.engine.databases.isEmpty)
  }

  @Test("documents of another database are refused")
  func foreign() async throws {
    let fixture = try Fixture()
    let other = name("c/a", in: DatabaseName(project: "p", database: "other"))
    let error = await #expect(throws: FirestoreError.self) {
      try await fixture.commit(Write(.delete(other)))
    }
    #expect(
      error
        == .invalidArgument(
          "The request was for database 'projects/p/databases/(default)' but was attempting to "
            + "access database 'projects/p/databases/other'"))
  }

  @Test("limits hold for what results")
  func limits() async throws {
    let fixture = try Fixture()
    let large = Value.bytes([UInt8](repeating: 7, count: 600_000))
    try await fixture.commit(set("c/a", ["a": large]))
    let error = await #expect(throws: FirestoreError.self) {
      try await fixture.commit(set("c/a", ["b": large], mask: ["b"]))
    }
    #expect(error == .invalidArgument("maximum entity size is 1048576 bytes"))
    let deep = Array(repeating: "m", count: 22).joined(separator: ".")
    let nested = await #expect(throws: FirestoreError.self) {
      try await fixture.commit(
        set("c/a", transforms: [transform(deep, .increment(.integer(1)))]))
    }
    #expect(nested?.code == .invalidArgument)
  }

  @Test("each write of a batch stands alone")
  func commitEach() async throws {
    let fixture = try Fixture()
    try await fixture.commit(set("c/z", one))
    let results = try await fixture.engine.commitEach(
      Fixture.database,
      [set("c/a", one), set("c/b", one, if: .exists(true)), set("c/z", two, if: .exists(false))])
    let codes = results.map { result in
      switch result {
      case .success: FirestoreError.Code?.none
      case .failure(let error): error.code
      }
    }
    #expect(codes == [nil, .notFound, .alreadyExists])
    #expect(try fixture.fields("c/a") == one)
    #expect(try fixture.fields("c/z") == one)
    let twice = await #expect(throws: FirestoreError.self) {
      try await fixture.engine.commitEach(
        Fixture.database, [set("c/a", two), delete("c/a")])
    }
    #expect(
      twice
        == .invalidArgument(
          "the same document cannot be written more than once in a single request"))
  }
}
