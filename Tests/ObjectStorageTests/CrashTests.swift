import Coding
import KeyValue
import Testing

@testable import ObjectStorage

/// Processes that die before or after any of their effects: the next one finds the old object or the new one, and every blob belongs
/// to something.
@Suite struct CrashTests {
  private static let old: [UInt8] = [1, 2, 3]
  private static let new: [UInt8] = Array(10..<30)

  struct Scenario: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// What may be there afterwards.
    let outcomes: [[UInt8]?]
    let body: @Sendable (ObjectStore) async throws -> Void
  }

  private static func request(_ name: String, md5: String? = nil) throws -> UploadRequest {
    var request = UploadRequest(
      name: try ObjectName(bucket: "b", name: UTF8String(name)), attributes: ObjectAttributes(),
      tokens: ["t"])
    request.expected.md5 = md5
    return request
  }

  private static func start(_ store: ObjectStore, md5: String? = nil) async throws -> String {
    let id = try await store.startUpload(try request("a", md5: md5), announcedSize: nil)
    _ = try await store.continueUpload(
      id, at: 0, isLast: false, from: Given(Array(new.prefix(8))))
    return id
  }

  private static func keepGenerations(_ store: ObjectStore) async throws {
    _ = try await store.updateBucket("b", Preconditions()) { settings throws(StorageError) in
      settings["versioning"] = .object(["enabled": .bool(true)])
    }
  }

  static let scenarios = [
    Scenario(testDescription: "an upload over another object", outcomes: [old, new]) {
      _ = try await $0.upload(try request("a"), from: Given(new))
    },
    Scenario(testDescription: "an upload of other bytes than announced", outcomes: [old]) {
      _ = try await $0.upload(try request("a", md5: "x"), from: Given(new))
    },
    Scenario(testDescription: "an upload that is broken off", outcomes: [old]) {
      let gone = StorageError(.interrupted, "gone")
      _ = try await $0.upload(try request("a"), from: Given(new, failure: gone))
    },
    Scenario(testDescription: "a deletion", outcomes: [old, nil]) {
      try await $0.delete(try request("a").name)
    },
    Scenario(testDescription: "a change of metadata", outcomes: [old]) {
      _ = try await $0.update(try request("a").name) { object throws(StorageError) in
        object.tokens.append("u")
        return true
      }
    },
    Scenario(testDescription: "a resumable upload", outcomes: [old, new]) {
      let id = try await start($0)
      _ = try await $0.continueUpload(
        id, at: 8, isLast: true, from: Given(Array(new.dropFirst(8))))
    },
    Scenario(testDescription: "a resumable upload of other bytes", outcomes: [old]) {
      let id = try await start($0, md5: "x")
      _ = try await $0.continueUpload(
        id, at: 8, isLast: true, from: Given(Array(new.dropFirst(8))))
    },
    Scenario(testDescription: "a move over another object", outcomes: [old, new]) {
      let moved = try await $0.upload(try request("m"), from: Given(new))
      _ = try await $0.move(
        moved.name, Preconditions(), to: try request("a").name, Preconditions())
    },
    Scenario(testDescription: "an upload in parts", outcomes: [old, new]) {
      let id = try await $0.startUpload(try request("a"), announcedSize: nil)
      let none = ExpectedChecksums()
      _ = try await $0.putPart(2, of: id, expected: none, from: Given(Array(new.dropFirst(5))))
      _ = try await $0.putPart(1, of: id, expected: none, from: Given([9]))
      _ = try await $0.putPart(1, of: id, expected: none, from: Given(Array(new.prefix(5))))
      _ = try await $0.completeParts(try $0.parts(of: id), of: id)
    },
    Scenario(testDescription: "an upload in parts that is given up", outcomes: [old, new]) {
      let id = try await $0.startUpload(try request("a"), announcedSize: nil)
      _ = try await $0.putPart(1, of: id, expected: ExpectedChecksums(), from: Given(new))
      try await $0.endParts(of: id)
    },
    Scenario(
      testDescription: "an upload over one that stays as a generation", outcomes: [old, new]
    ) {
      try await keepGenerations($0)
      _ = try await $0.upload(try request("a"), from: Given(new))
    },
    Scenario(
      testDescription: "a deletion that leaves a generation, and its end", outcomes: [old, nil]
    ) {
      try await keepGenerations($0)
      let generation = try #require(try $0.object(try request("a").name)).generation
      try await $0.delete(try request("a").name)
      try await $0.delete(try request("a").name, generation: generation)
    },
    Scenario(testDescription: "a restoration", outcomes: [old, nil]) {
      let name = try request("a").name
      _ = try await $0.updateBucket("b", Preconditions()) { settings throws(StorageError) in
        settings["softDeletePolicy"] = .object(["retentionDurationSeconds": .string("60")])
      }
      let generation = try #require(try $0.object(name)).generation
      try await $0.delete(name)
      _ = try await $0.restore(name, generation: generation, Preconditions())
    },
    Scenario(testDescription: "a resumable upload that is cancelled", outcomes: [old, new]) {
      _ = try await $0.cancelUpload(try await start($0))
    },
  ]

  @Test("the old object or the new one, and nothing else", arguments: scenarios)
  func death(_ scenario: Scenario) async throws {
    for steps in 0... {
      let (memory, blobs, life) = (MemoryStore(), MemoryBlobs(), Life(steps))
      let first = ObjectStore(store: memory, files: blobs, now: { 1_000 })
      _ = try await first.upload(try Self.request("a"), from: Given(Self.old))
      let dying = ObjectStore(
        store: DyingStore(memory, life), files: DyingBlobs(blobs: blobs, life: life),
        now: { 2_000 })
      try? await scenario.body(dying)
      try await check(scenario, memory, blobs, steps)
      if !life.isOver { return #expect(steps > 1) }
      guard steps < 100 else { throw StorageError(.internalError, "it never ends") }
    }
  }

  private func check(
    _ scenario: Scenario, _ memory: MemoryStore, _ blobs: MemoryBlobs, _ steps: Int
  ) async throws {
    let next = ObjectStore(store: memory, files: blobs, now: { 3_000 })
    try await next.removeLeftovers()
    #expect(
      scenario.outcomes.contains(try await content(of: next)), "after \(steps) steps")
    // What waits for more goes on.
    let uploads = KeyRange(from: [], to: nil)
    for row in try memory.read({ try $0.scan(.uploads, uploads, .ascending, limit: 9) }) {
      let id = String(decoding: row.key, as: UTF8.self)
      if id.contains("/") { continue }
      guard case .active(let received) = try await next.uploadStatus(id) else { continue }
      #expect(received <= Self.new.count)
      let answer = try await next.continueUpload(
        id, at: received, isLast: true, from: Given(Array(Self.new.dropFirst(Int(received)))))
      switch answer {
      case .ok(.committed): #expect(try await content(of: next) == Self.new)
      case .ok(.refused): #expect(scenario.outcomes.contains(try await content(of: next)))
      case .ok, .refused: Issue.record("\(answer) after \(steps) steps")
      }
    }
    let last = ObjectStore(store: memory, files: blobs, now: { 700_000_000_000 })
    // Parts go when their upload has gone.
    for _ in 0..<2 { try await last.removeLeftovers() }
    try await last.removeExpired()
    let records = try memory.read { try $0.count(.uploads, uploads) }
    let objects = try memory.read { try $0.count(.objects, uploads) }
    #expect(records == 0 && blobs.counts == [0, objects], "after \(steps) steps")
  }

  private func content(of store: ObjectStore) async throws -> [UInt8]? {
    guard let object = try store.object(try Self.request("a").name) else { return nil }
    let content = try await store.open(object, count: 100)
    return try await content?.read(100, at: 0)
  }
}
