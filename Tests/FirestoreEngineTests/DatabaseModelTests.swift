import Coding
import FirestoreEngine
import FirestoreModel
import HibachiTesting
import KeyValue
import KeyValueSQLite
import Testing

/// What a database should hold: the state after every commit is kept.
private struct DatabaseModel {
  var documents: [String: [String: Value]] = [:]
  var past: [(point: ReadPoint, documents: [String: [String: Value]])] = []

  mutating func remember(_ time: Timestamp) {
    past.append((ReadPoint(version: time.microseconds), documents))
  }

  func documents(in collection: String) -> [String] {
    documents.keys.filter {
      name($0).path.collection.segments.map(\.string)
        .joined(separator: "/") == collection
    }.sorted { DocumentPath.compare(name($0).path, name($1).path) == .ascending }
  }

  func collectionIDs(of parent: String) -> [String] {
    let prefix = parent.isEmpty ? "" : parent + "/"
    let ids = documents.keys.filter { $0.hasPrefix(prefix) }.map { path in
      String(path.dropFirst(prefix.count).prefix { $0 != "/" })
    }
    return Set(ids).sorted()
  }

  func missing(in collection: String) -> [String] {
    let prefix = collection + "/"
    let ids = documents.keys.filter { $0.hasPrefix(prefix) && $0 != prefix }.compactMap { path in
      let rest = path.dropFirst(prefix.count).split(separator: "/")
      return rest.count > 1 ? prefix + rest[0] : nil
    }
    return Set(ids).filter { documents[$0] == nil }.sorted()
  }
}

@Suite("Random commits against a dictionary")
struct DatabaseModelTests {
  private static let paths = [
    "a/1", "a/2", "a/3", "a/1/s/1", "a/1/s/2", "a/2/s/1/t/1", "b/1", "b/__id7__", "b/__id-1__",
    "b/zz", "b/q/s/9", "aa/1",
  ]

  @Test(arguments: 0..<24)
  func inMemory(seed: Int) async throws {
    try await run(seed, on: MemoryStore())
  }

  @Test(arguments: 100..<104)
  func onDisk(seed: Int) async throws {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStore.open(folder: folder.path, durability: .normal)
    try await run(seed, on: store)
    await store.close()
  }

  private func run(_ seed: Int, on store: any OrderedStore) async throws {
    var random = SeededGenerator(seed: seed)
    let fixture = try Fixture(store: store)
    var model = DatabaseModel()
    for _ in 0..<25 {
      var writes: [Write] = []
      for _ in 0..<random.int(1...4) {
        let path = Self.paths[random.int(0...Self.paths.count - 1)]
        switch random.int(0...5) {
        case 0, 1:
          writes.append(delete(path))
          model.documents[path] = nil
        case 2:
          let value = Value.integer(Int64(random.int(0...3)))
          writes.append(set(path, ["m": value], mask: ["m"]))
          model.documents[path, default: [:]]["m"] = value
        default:
          let fields = ["n": Value.integer(Int64(random.int(0...2)))]
          writes.append(set(path, fields))
          model.documents[path] = fields
        }
      }
      fixture.time.advance(microseconds: Int64(random.int(0...3)))
      model.remember(try await fixture.engine.commit(Fixture.database, writes).commitTime)
      if random.once(in: 4) {
        model.remember(try fixture.engine.read(Fixture.database) { $0.point.time })
      }
    }
    try await check(fixture, model, at: nil)
    for (point, documents) in model.past {
      try await check(fixture, DatabaseModel(documents: documents), at: point)
    }
  }

  private func check(
    _ fixture: Fixture, _ model: DatabaseModel, at point: ReadPoint?
  ) async throws {
    for path in Self.paths {
      let document = try fixture.engine.read(Fixture.database, at: point) {
        try $0.document(name(path).path)
      }
      #expect(try document?.values == model.documents[path])
    }
    for collection in ["a", "b", "aa", "a/1/s", "a/2/s", "a/2/s/1/t", "none"] {
      let path = CollectionPath(
        segments: collection.split(separator: "/").map {
          UTF8String(String($0))
        })
      let expected = model.documents(in: collection)
      for limit in point == nil ? [1, 2, 100] : [2] {
        #expect(try scan(fixture, path, .ascending, limit, at: point) == expected)
        #expect(
          try scan(fixture, path, .descending, limit, at: point) == expected.reversed())
      }
      let count = try fixture.engine.read(Fixture.database, at: point) {
        try $0.documentCount(in: path)
      }
      #expect(count == expected.count)
      let parent = path.parent?.text
      let listed = try await fixture.list(
        path.id.string, of: parent, showsMissing: true, at: point)
      #expect(
        Set(listed.paths) == Set(expected + model.missing(in: collection).map { "(\($0))" }))
    }
    for parent in ["", "a/1", "a/2", "b/q"] {
      #expect(
        try fixture.collectionIDs(of: parent.isEmpty ? nil : parent, at: point)
          == model.collectionIDs(of: parent))
    }
    try checkCollections(fixture, model, at: point)
  }

  private func checkCollections(
    _ fixture: Fixture, _ model: DatabaseModel, at point: ReadPoint?
  ) throws {
    func collections(_ isIncluded: (CollectionPath) -> Bool) -> [[UTF8String]] {
      Set(model.documents.keys.map { name($0).path.collection }).filter(isIncluded)
        .map(\.segments).sorted { $0.lexicographicallyPrecedes($1) }
    }
    let (group, below) = try fixture.engine.read(Fixture.database, at: point) { view in
      (
        try view.collections(below: nil, called: "s", limit: 100),
        try view.collections(below: name("a/2").path, limit: 100)
      )
    }
    #expect(
      group.map(\.segments).sorted { $0.lexicographicallyPrecedes($1) }
        == collections { $0.id == "s" })
    #expect(
      below.map(\.segments)
        == collections { $0.segments.count > 2 && $0.segments.starts(with: ["a", "2"]) })
  }

  private func scan(
    _ fixture: Fixture, _ collection: CollectionPath, _ direction: ScanDirection, _ limit: Int,
    at point: ReadPoint?
  ) throws -> [String] {
    var paths: [String] = []
    var rest = try fixture.engine.read(Fixture.database, at: point) {
      $0.range(of: collection)
    }
    while let range = rest {
      rest = try fixture.engine.read(Fixture.database, at: point) { view in
        let page = try view.scan(range, direction, limit: limit)
        paths += try page.rows.map { try view.document($0).name.path.text }
        return page.rest
      }
    }
    return paths
  }
}
