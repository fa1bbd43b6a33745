import Coding
import KeyValue
import Synchronization
import Testing

@testable import ObjectStorage

@Suite struct SessionTests {
  private let blobs = MemoryBlobs()
  private let memory = MemoryStore()
  private let objects: ObjectStore

  init() {
    objects = ObjectStore(store: memory, files: blobs, now: { 1_000 })
  }

  private func request() throws -> UploadRequest {
    UploadRequest(
      name: try ObjectName(bucket: "b", name: "a"), attributes: ObjectAttributes(), tokens: [])
  }

  private func session(_ name: String) throws -> UploadSession {
    UploadSession(BlobID(text: name), try request(), ResumableUpload(), started: 0)
  }

  @Test("the table keeps what is in use, and the last ones of the rest")
  func table() throws {
    var table = SessionTable(limit: 3)
    for name in ["a", "b", "c"] {
      table.add(try session(name))
      table.release(BlobID(text: name))
    }
    func take(_ name: String) -> Bool { table.take(BlobID(text: name)) != nil }
    func remove(_ name: String) -> Bool { table.remove(BlobID(text: name)) }
    let first = take("a")
    table.add(try session("d"))
    let oldest = take("b")
    #expect(first && !oldest)
    for name in ["e", "f", "g"] { table.add(try session(name)) }
    let (used, unused, removed) = (take("a"), take("c"), remove("d"))
    #expect(table.count == 5 && used && !unused && !removed)
    table.release(BlobID(text: "d"))
    let (last, unknown) = (remove("d"), remove("unknown"))
    #expect(last && unknown)
  }

  @Test("many uploads at once take memory for some of them only, and all go on")
  func many() async throws {
    var ids: [String] = []
    for _ in 0..<1_500 {
      let id = try await objects.startUpload(try request(), announcedSize: nil)
      _ = try await objects.continueUpload(id, at: 0, isLast: false, from: Given([1]))
      ids.append(id)
    }
    #expect(objects.memory.withLock { $0.sessions.count } == 1_000)
    for id in [ids[0], ids[700], ids[1_499]] {
      let answer = try await objects.continueUpload(id, at: 1, isLast: true, from: Given([2]))
      guard case .ok(.committed(let object)) = answer else {
        Issue.record("\(answer)")
        continue
      }
      #expect(object.md5 == MD5.digest([1, 2]))
    }
  }

  /// Bytes that come when they are let come.
  private final class Gate: ByteSource {
    let stream: AsyncStream<[UInt8]>
    let continuation: AsyncStream<[UInt8]>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func next() async throws(StorageError) -> [UInt8]? {
      var iterator = stream.makeAsyncIterator()
      return await iterator.next()
    }
  }

  @Test("of two that send to one upload, the later goes on")
  func two() async throws {
    let id = try await objects.startUpload(try request(), announcedSize: nil)
    let gate = Gate()
    let store = objects
    async let first = Result { () async throws -> UploadAnswer in
      try await store.continueUpload(id, at: 0, isLast: true, from: gate)
    }
    // Larger than what is joined, so that it is written at once.
    let piece = [UInt8](repeating: 1, count: 1 << 20)
    gate.continuation.yield(piece)
    while try await objects.uploadStatus(id) == .active(received: 0) { await Task.yield() }
    let answer = try await objects.continueUpload(
      id, at: Int64(piece.count), isLast: false, from: Given([2]))
    #expect(answer == .ok(.active(received: Int64(piece.count) + 1)))
    gate.continuation.yield(piece)
    gate.continuation.finish()
    let refused = await first
    #expect(throws: StorageError.self) { try refused.get() }
    let last = try await objects.continueUpload(id, at: nil, isLast: true, from: Given([3]))
    guard case .ok(.committed(let object)) = last else {
      Issue.record("\(last)")
      return
    }
    #expect(object.md5 == MD5.digest(piece + [2, 3]))
  }

  @Test("a request that comes late to what has ended leaves the object as it is")
  func late() async throws {
    let id = try await objects.startUpload(try request(), announcedSize: nil)
    let gate = Gate()
    let store = objects
    async let slow = Result { () async throws -> UploadAnswer in
      try await store.continueUpload(id, at: 0, isLast: false, from: gate)
    }
    // The slow one has its turn when the session has one user more.
    while objects.memory.withLock({ $0.sessions.count }) == 0 { await Task.yield() }
    let answer = try await objects.continueUpload(id, at: 0, isLast: true, from: Given([7]))
    guard case .ok(.committed(let object)) = answer else {
      Issue.record("\(answer)")
      return
    }
    gate.continuation.yield([8])
    gate.continuation.finish()
    _ = await slow
    #expect(try await objects.open(object, count: 1)?.read(1, at: 0) == [7])
    #expect(blobs.counts == [0, 1])
  }

  @Test("an upload that is in use does not age")
  func ages() async throws {
    let time = Mutex<Int64>(1_000)
    let store = ObjectStore(
      store: memory, files: blobs, now: { time.withLock { $0 } })
    let id = try await store.startUpload(try request(), announcedSize: nil)
    let gate = Gate()
    async let slow = Result { () async throws -> UploadAnswer in
      try await store.continueUpload(id, at: 0, isLast: true, from: gate)
    }
    while store.memory.withLock({ $0.sessions.count }) == 0 { await Task.yield() }
    time.withLock { $0 = 700_000_000_000 }
    try await store.removeLeftovers()
    gate.continuation.yield([1])
    gate.continuation.finish()
    guard case .ok(.committed(let object)) = try await slow.get() else {
      Issue.record("the upload is gone")
      return
    }
    #expect(try await store.open(object, count: 1)?.read(1, at: 0) == [1])
    time.withLock { $0 += 4_000_000_000 }
    try await store.removeLeftovers()
    #expect(blobs.counts == [0, 1])
    await #expect(throws: StorageError.self) { try await store.uploadStatus(id) }
  }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
