import Coding
import KeyValue
import Synchronization
import Testing

@testable import ObjectStorage

/// Generations of objects that are not current, and what is deleted for a time.
@Suite struct GenerationTests {
  private let blobs = MemoryBlobs()
  private let memory = MemoryStore()
  private let objects: ObjectStore
  private let clock = Clock()

  /// Seconds that a test moves.
  private final class Clock: Sendable {
    let seconds = Mutex<Int64>(1_000)
  }

  init() {
    objects = ObjectStore(
      store: memory, files: blobs,
      now: { [clock] in clock.seconds.withLock { $0 } * 1_000_000 })
  }

  private func name(_ name: String) throws -> ObjectName {
    try ObjectName(bucket: "b", name: UTF8String(name))
  }

  private func put(_ name: String, _ bytes: UInt8...) async throws -> Object {
    try await objects.upload(
      UploadRequest(name: try self.name(name), attributes: ObjectAttributes(), tokens: []),
      from: Given(bytes))
  }

  private func set(_ settings: String) async throws {
    try await objects.ensureBucket("b")
    let members = try #require(try JSONValue(Array(settings.utf8)).members)
    _ = try await objects.updateBucket("b", Preconditions()) { $0.merge(members, depth: 1) }
  }

  private func bytes(_ object: Object?) async throws -> [UInt8]? {
    guard let object else { return nil }
    return try await objects.open(object, count: 10)?.read(10, at: 0)
  }

  private func list(
    _ generations: ListRequest.Generations, _ change: (inout ListRequest) -> Void = { _ in }
  ) async throws -> [(String, Int64)] {
    var request = ListRequest(bucket: "b")
    request.generations = generations
    change(&request)
    var entries: [(String, Int64)] = []
    repeat {
      let page = try await objects.list(request)
      #expect(page.items.count + page.prefixes.count <= request.limit)
      entries += page.prefixes.map { ($0, 0) }
      entries += page.items.map { ($0.name.name.string, $0.generation) }
      request.pageToken = page.nextPageToken
    } while request.pageToken != nil
    return entries
  }

  @Test("what is replaced or deleted stays, and goes by its number")
  func versions() async throws {
    try await set(#"{"versioning":{"enabled":true}}"#)
    let first = try await put("a", 1)
    let second = try await put("a", 2)
    let name = first.name
    #expect(try objects.object(name) == second)
    let old = try objects.object(name, generation: first.generation)
    #expect(try await bytes(old) == [1])
    #expect(old?.deleted != nil && old?.state == .noncurrent)
    try await objects.delete(name)
    #expect(try objects.object(name) == nil)
    #expect(blobs.counts == [0, 2])
    #expect(try await list(.current).isEmpty)
    #expect(try await list(.all).map(\.1) == [first.generation, second.generation])
    await #expect(throws: StorageError.self) {
      try await objects.deleteBucket("b", Preconditions())
    }
    for generation in [first.generation, second.generation] {
      try await objects.delete(name, generation: generation)
    }
    #expect(blobs.counts == [0, 0])
    await #expect(throws: StorageError.self) {
      try await objects.delete(name, generation: first.generation)
    }
    try await objects.deleteBucket("b", Preconditions())
  }

  @Test("metadata of a generation that is not current")
  func update() async throws {
    try await set(#"{"versioning":{"enabled":true}}"#)
    let first = try await put("a", 1)
    let second = try await put("a", 2)
    let changed = try await objects.update(first.name, generation: first.generation) {
      $0.attributes.contentLanguage = "ko"
      return true
    }
    #expect(changed.metageneration == 2 && changed.state == .noncurrent)
    #expect(try objects.object(first.name, generation: first.generation) == changed)
    #expect(try objects.object(first.name) == second)
  }

  @Test("lists of generations, in pages of every size", arguments: 1...8)
  func lists(limit: Int) async throws {
    try await set(#"{"versioning":{"enabled":true}}"#)
    var expected: [(String, Int64)] = []
    // Names whose keys could be taken for those of others.
    for name in ["a", "a\0", "a\0\u{1}", "a\u{1}", "a/", "a/b", "b", "z\0\0"] {
      for byte in UInt8(0)..<3 { expected.append((name, try await put(name, byte).generation)) }
    }
    try await objects.delete(try name("b"))
    let current = expected.enumerated().filter { $0.offset % 3 == 2 && $0.element.0 != "b" }
      .map(\.element)
    let all = try await list(.all) { $0.limit = limit }
    #expect(all.map(\.0) == expected.map(\.0) && all.map(\.1) == expected.map(\.1))
    let shown = try await list(.current) { $0.limit = limit }
    #expect(shown.map(\.0) == current.map(\.0) && shown.map(\.1) == current.map(\.1))
    let nested = try await list(.all) {
      ($0.limit, $0.delimiter, $0.prefix) = (limit, "/", "a")
    }
    #expect(Set(nested.map(\.0)) == ["a", "a\0", "a\0\u{1}", "a\u{1}", "a/"])
    #expect(nested.filter { $0.0 == "a/" }.map(\.1) == [0] && nested.count == 13)
    let part = try await list(.all) { ($0.limit, $0.start, $0.end) = (limit, "a\0", "a/b") }
    #expect(part.map(\.0) == expected.map(\.0).filter { $0 >= "a\0" && $0 < "a/b" && $0 != "a" })
  }

  @Test("what is deleted can be restored until its time is over")
  func softDeletion() async throws {
    try await set(#"{"softDeletePolicy":{"retentionDurationSeconds":"60"}}"#)
    let first = try await put("a", 1)
    let second = try await put("a", 2)
    let name = first.name
    #expect(try objects.object(name, generation: first.generation) == nil)
    #expect(try await list(.softDeleted).map(\.1) == [first.generation])
    let deleted = try objects.object(
      name, generation: first.generation, isSoftDeleted: true)
    #expect(deleted?.softDeleted == 1_000_000_000 && deleted?.hardDeleted == 1_060_000_000)
    await #expect(throws: StorageError(.failedPrecondition, "The object was not soft-deleted.")) {
      try await objects.restore(name, generation: second.generation, Preconditions())
    }
    let restored = try await objects.restore(
      name, generation: first.generation, Preconditions())
    #expect(restored.generation > second.generation && restored.state == .current)
    #expect(try await bytes(try objects.object(name)) == [1])
    #expect(try await list(.softDeleted).map(\.1) == [second.generation])
    clock.seconds.withLock { $0 += 59 }
    try await objects.removeExpired()
    #expect(blobs.counts == [0, 2])
    clock.seconds.withLock { $0 += 1 }
    try await objects.removeExpired()
    #expect(blobs.counts == [0, 1])
    #expect(try await list(.softDeleted).isEmpty)
  }

  @Test("a bucket that is deleted can be restored")
  func deletedBucket() async throws {
    try await set(#"{"softDeletePolicy":{"retentionDurationSeconds":60},"labels":{"a":"1"}}"#)
    let generation = try #require(try objects.bucket("b")).created
    try await objects.deleteBucket("b", Preconditions())
    #expect(try objects.bucket("b") == nil)
    #expect(try objects.buckets(prefix: "", after: nil, limit: 9).isEmpty)
    let deleted = try #require(try objects.deletedBucket("b", generation: generation))
    #expect(deleted.softDeleted != nil && deleted.settings["labels"] != nil)
    let restored = try await objects.restoreBucket("b", generation: generation)
    #expect(restored.created == generation && restored.softDeleted == nil)
    try await objects.deleteBucket("b", Preconditions())
    clock.seconds.withLock { $0 += 60 }
    try await objects.removeExpired()
    #expect(try objects.deletedBucket("b", generation: generation) == nil)
  }

  @Test("held and retained objects stay")
  func retention() async throws {
    try await set(
      #"{"retentionPolicy":{"retentionPeriod":"10"},"defaultEventBasedHold":true}"#)
    let object = try await put("a", 1)
    #expect(object.attributes.eventBasedHold == true)
    func fails(_ code: StorageError.Code) async -> Bool {
      do throws(StorageError) {
        try await objects.delete(object.name)
        return false
      } catch {
        return error.code == code
      }
    }
    #expect(await fails(.permissionDenied))
    clock.seconds.withLock { $0 += 100 }
    _ = try await objects.update(object.name) {
      $0.attributes.eventBasedHold = false
      return true
    }
    // Its time begins when it is released.
    #expect(await fails(.retained))
    await #expect(throws: StorageError.self) { try await put("a", 2) }
    clock.seconds.withLock { $0 += 10 }
    try await objects.delete(object.name)
    _ = try await put("c", 1)
    _ = try await objects.update(try name("c")) { object throws(StorageError) in
      object.attributes.eventBasedHold = false
      object.attributes.settings["retention"] = .object([
        "mode": .string("Unlocked"), "retainUntilTime": .string("1970-01-01T01:00:00Z"),
      ])
      return true
    }
    clock.seconds.withLock { $0 = 3_599 }
    await #expect(throws: StorageError.self) { try await objects.delete(try name("c")) }
    clock.seconds.withLock { $0 = 3_600 }
    try await objects.delete(try name("c"))
  }
}
