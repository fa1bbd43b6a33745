import Coding
import KeyValue
import Testing

@testable import ObjectStorage

@Suite struct ObjectStoreTests {
  private let blobs = MemoryBlobs()
  private let memory = MemoryStore()
  private let objects: ObjectStore

  init() {
    objects = ObjectStore(store: memory, files: blobs, now: { 1_000 })
  }

  private func request(_ name: String) throws -> UploadRequest {
    UploadRequest(
      name: try ObjectName(bucket: "b", name: UTF8String(name)), attributes: ObjectAttributes(),
      tokens: ["t"])
  }

  private var records: Int {
    get throws { try memory.read { try $0.count(.uploads, KeyRange(from: [], to: nil)) } }
  }

  private func fails<Result>(_ body: () async throws -> Result) async -> Bool {
    do {
      _ = try await body()
      return false
    } catch {
      return error is StorageError
    }
  }

  @Test("generations rise though the clock stands still")
  func generations() async throws {
    let first = try await objects.upload(try request("a"), from: Given([1], [2]))
    let second = try await objects.upload(try request("a"), from: Given([3]))
    #expect(second.generation > first.generation)
    #expect(try objects.object(first.name) == second)
    #expect(blobs.counts == [0, 1])
    #expect(try records == 0)
  }

  @Test("an object reads back as it was stored")
  func stored() async throws {
    var request = try request("é\0")
    request.attributes.custom = ["k": "v"]
    request.attributes.cacheControl = "no-store"
    let object = try await objects.upload(request, from: Given([1, 2, 3]))
    #expect(try Object(object.name, stored: object.stored) == object)
    let content = try await objects.open(object, at: 1, count: 2)
    #expect(try await content?.read(2, at: 1) == [2, 3])
  }

  @Test("nothing is left of uploads that fail")
  func failures() async throws {
    let broken = Given([1], failure: StorageError(.interrupted, "gone"))
    #expect(await fails { try await objects.upload(try request("a"), from: broken) })
    var wrong = try request("a")
    wrong.expected.md5 = "AAAA"
    let other = wrong
    #expect(await fails { try await objects.upload(other, from: Given([1])) })
    _ = try await objects.upload(try request("a"), from: Given([1]))
    wrong.expected.md5 = nil
    wrong.preconditions.generation = 0
    let late = wrong
    #expect(await fails { try await objects.upload(late, from: Given([1])) })
    #expect(blobs.counts == [0, 1])
    #expect(try records == 0)
  }

  @Test("uploads go on in another process, and leftovers are removed")
  func restart() async throws {
    let id = try await objects.startUpload(try request("a"), announcedSize: nil)
    let broken = Given([1, 2, 3], failure: StorageError(.interrupted, "gone"))
    #expect(await fails { try await objects.continueUpload(id, at: 0, isLast: true, from: broken) })
    _ = try await objects.beginUpload()
    #expect(blobs.counts == [2, 0])
    let next = ObjectStore(store: memory, files: blobs, now: { 2_000 })
    try await next.removeLeftovers()
    #expect(blobs.counts == [1, 0])
    #expect(try await next.uploadStatus(id) == .active(received: 3))
    let answer = try await next.continueUpload(id, at: 1, isLast: true, from: Given([2, 3, 4]))
    guard case .ok(.committed(let object)) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(object.size == 4)
    var md5 = MD5()
    md5.update(([1, 2, 3, 4] as [UInt8]).span)
    #expect(object.md5 == md5.digest)
    let last = ObjectStore(store: memory, files: blobs, now: { 3_000 })
    #expect(try await last.uploadStatus(id) == .committed(object))
  }

  @Test("what ended is forgotten after an hour, what waits after a week")
  func ages() async throws {
    let id = try await objects.startUpload(try request("a"), announcedSize: nil)
    let other = try await objects.startUpload(try request("b"), announcedSize: nil)
    _ = try await objects.cancelUpload(id)
    let later = ObjectStore(store: memory, files: blobs, now: { 3_700_000_000 })
    try await later.removeLeftovers()
    #expect(try records == 1)
    #expect(await fails { try await later.uploadStatus(id) })
    #expect(try await later.uploadStatus(other) == .active(received: 0))
    let muchLater = ObjectStore(store: memory, files: blobs, now: { 700_000_000_000 })
    try await muchLater.removeLeftovers()
    #expect(try records == 0)
    #expect(blobs.counts == [0, 0])
  }

  @Test("pages of names, cut anywhere, add up to all of them", arguments: 1...9)
  func pages(limit: Int) async throws {
    for name in ["a", "b/1", "b/2", "b/c/d", "ba", "é", "e\u{301}", "z//x", "z/"] {
      _ = try await objects.upload(try request(name), from: Given())
    }
    var request = ListRequest(bucket: "b")
    request.delimiter = "/"
    request.limit = limit
    var names: [String] = []
    repeat {
      let page = try await objects.list(request)
      #expect(page.prefixes.count + page.items.count <= limit)
      names += (page.prefixes + page.items.map { $0.name.name.string }).sorted {
        UTF8String($0) < UTF8String($1)
      }
      request.pageToken = page.nextPageToken
    } while request.pageToken != nil
    #expect(
      names.map { Array($0.utf8) }
        == ["a", "b/", "ba", "e\u{301}", "z/", "é"].map { Array($0.utf8) })
  }
}
