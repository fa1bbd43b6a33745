import Coding
import FirestoreEngine
import FirestoreModel
import HibachiTesting
import KeyValue
import KeyValueSQLite
import Testing

/// Documents as a dictionary has them, with what every write should answer.
private struct WriteModel {
  struct Entry: Equatable {
    var fields: [String: Value]
    var created: Int
    var updated: Int
  }

  /// Times are numbers of commits.
  private(set) var documents: [String: Entry] = [:]
  private(set) var commits = 0

  /// What a write is expected to do.
  struct Planned {
    let write: Write
    let path: String
    /// `nil` deletes, and an absent closure changes nothing.
    let change: (([String: Value]) -> [String: Value])?
    let isDelete: Bool
    let precondition: Wanted

    enum Wanted {
      case nothing
      case exists(Bool)
      /// The time of a commit.
      case updated(Int)
    }
  }

  private func error(_ planned: Planned) -> FirestoreError.Code? {
    let entry = documents[planned.path]
    switch planned.precondition {
    case .nothing: return nil
    case .exists(true): return entry == nil ? .notFound : nil
    case .exists(false): return entry == nil ? nil : .alreadyExists
    case .updated(let time):
      guard let entry else { return .failedPrecondition }
      if time > entry.updated { return .invalidArgument }
      return time == entry.updated ? nil : .failedPrecondition
    }
  }

  private mutating func make(_ planned: Planned, _ time: Int) {
    if planned.isDelete {
      documents[planned.path] = nil
    } else if let change = planned.change {
      let old = documents[planned.path]
      let fields = change(old?.fields ?? [:])
      guard old?.fields != fields else { return }
      documents[planned.path] = Entry(
        fields: fields, created: old?.created ?? time, updated: time)
    }
  }

  /// Makes all or none; the error, or the number of the commit that each result names.
  mutating func commit(_ plan: [Planned]) -> Result<[Int?], ModelError> {
    let before = self
    commits += 1
    for planned in plan {
      if let code = error(planned) {
        self = before
        return .failure(ModelError(code: code))
      }
      make(planned, commits)
    }
    for (path, entry) in documents
    where before.documents[path]?.fields == entry.fields
      && before.documents[path]?.created == entry.created
    {
      documents[path] = before.documents[path]
    }
    return .success(plan.map { documents[$0.path]?.updated })
  }

  struct ModelError: Error {
    var code: FirestoreError.Code
  }
}

@Suite("Random writes against a dictionary")
struct WriteModelTests {
  private static let paths = ["c/a", "c/b", "c/d", "e/a"]

  @Test(arguments: 0..<60)
  func inMemory(seed: Int) async throws {
    try await run(seed, on: MemoryStore())
  }

  @Test(arguments: 100..<106)
  func onDisk(seed: Int) async throws {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStore.open(folder: folder.path, durability: .normal)
    try await run(seed, on: store)
    await store.close()
  }

  private func run(_ seed: Int, on store: any OrderedStore) async throws {
    var random = SeededGenerator(seed: seed)
    let fixture = try Fixture(store: store)
    var model = WriteModel()
    var times: [Timestamp] = [Timestamp(microseconds: 0)]
    var states: [(point: ReadPoint, model: WriteModel)] = []
    for _ in 0..<40 {
      fixture.time.advance(microseconds: Int64(random.int(0...2)))
      let count = random.int(1...4)
      let plan = (0..<count).map { _ in
        Self.write(&random, model, times, isAlone: count == 1)
      }
      let way = random.int(0...2)
      var transaction: [UInt8]?
      if way > 0 {
        transaction = try await fixture.engine.beginTransaction(
          in: Fixture.database,
          .readWrite(retrying: nil, concurrency: way == 1 ? .pessimistic : .optimistic))
        try await read(fixture, transaction ?? [], model, times, plan[0].path)
      }
      let expected = model.commit(plan)
      do {
        let result = try await fixture.engine.commit(
          Fixture.database, plan.map(\.write), transaction: transaction)
        times.append(result.commitTime)
        let updates = try expected.get().map { number in number.map { times[$0] } }
        #expect(result.writeResults.map(\.updateTime) == updates)
      } catch let error as FirestoreError {
        guard case .failure(let wanted) = expected else {
          Issue.record("\(error)")
          return
        }
        #expect(error.code == wanted.code)
      }
      try check(fixture, model, times, at: nil)
      let point = try fixture.engine.read(Fixture.database) { $0.point }
      states.append((point, model))
    }
    for (point, model) in states { try check(fixture, model, times, at: point) }
  }

  private func read(
    _ fixture: Fixture, _ id: [UInt8], _ model: WriteModel, _ times: [Timestamp], _ path: String
  ) async throws {
    let target = name(path)
    let document = try await fixture.engine.read(
      in: id, of: Fixture.database, .documents([target])
    ) { (point) async throws(FirestoreError) in
      try fixture.engine.read(Fixture.database, at: point) { try $0.document(target.path) }
    }
    #expect(try document?.values == model.documents[path]?.fields)
  }

  private func check(
    _ fixture: Fixture, _ model: WriteModel, _ times: [Timestamp], at point: ReadPoint?
  ) throws {
    for path in Self.paths {
      let document = try fixture.engine.read(Fixture.database, at: point) {
        try $0.document(name(path).path)
      }
      let entry = model.documents[path]
      #expect(try document?.values == entry?.fields)
      #expect(document?.createTime == entry.map { times[$0.created] })
      #expect(document?.updateTime == entry.map { times[$0.updated] })
    }
  }

  private static func write(
    _ random: inout SeededGenerator, _ model: WriteModel, _ times: [Timestamp], isAlone: Bool
  ) -> WriteModel.Planned {
    let path = paths[random.int(0...paths.count - 1)]
    let wanted: WriteModel.Planned.Wanted =
      switch random.int(0...9) {
      case 0: .exists(true)
      case 1: .exists(false)
      case 2: .updated(model.documents[path]?.updated ?? 0)
      case 3: .updated(random.int(0...times.count - 1))
      default: .nothing
      }
    var precondition: Precondition?
    switch wanted {
    case .nothing: break
    case .exists(let exists): precondition = .exists(exists)
    case .updated(let number): precondition = .updateTime(times[number])
    }
    let value = Value.integer(Int64(random.int(0...2)))
    func planned(
      _ write: Write, isDelete: Bool = false, _ change: (([String: Value]) -> [String: Value])?
    ) -> WriteModel.Planned {
      WriteModel.Planned(
        write: write, path: path, change: change, isDelete: isDelete, precondition: wanted)
    }
    switch random.int(0...6) {
    case 0: return planned(delete(path, if: precondition), isDelete: true, nil)
    case 1:
      guard let precondition, isAlone else { fallthrough }
      return planned(verify(path, if: precondition), nil)
    case 2: return planned(set(path, ["x": value], if: precondition)) { _ in ["x": value] }
    case 3:
      return planned(set(path, ["m": value], mask: ["m", "x"], if: precondition)) { fields in
        var fields = fields
        fields["m"] = value
        fields["x"] = nil
        return fields
      }
    case 4:
      let increment = transform("n", .increment(value))
      return planned(set(path, mask: [], transforms: [increment], if: precondition)) {
        joined($0, "n", value, +)
      }
    case 5:
      let maximum = transform("x", .maximum(value))
      return planned(set(path, mask: [], transforms: [maximum], if: precondition)) {
        joined($0, "x", value, max)
      }
    default: return planned(set(path, if: precondition)) { _ in [:] }
    }
  }

  private static func joined(
    _ fields: [String: Value], _ field: String, _ value: Value, _ join: (Int64, Int64) -> Int64
  ) -> [String: Value] {
    var fields = fields
    if case .integer(let old)? = fields[field], case .integer(let other) = value {
      fields[field] = .integer(join(old, other))
    } else {
      fields[field] = value
    }
    return fields
  }
}
