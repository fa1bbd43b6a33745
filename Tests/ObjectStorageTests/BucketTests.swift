import Coding
import KeyValue
import Testing

@testable import ObjectStorage

@Suite struct BucketTests {
  @Test("a bucket reads back as it was stored, and in the form that came first")
  func stored() throws {
    var bucket = Bucket(name: "b", created: 1_700_000_000_000_000)
    bucket.settings = ["labels": .object(["a": .string("é")]), "n": .number("1.50")]
    bucket.metageneration = 3
    #expect(try Bucket("b", stored: bucket.stored) == bucket)
    for time: Int64 in [0, 1, 127, 128, 1_700_000_000_000_000] {
      var writer = ProtobufWriter()
      writer.appendVarint(UInt64(bitPattern: time))
      #expect(try Bucket("b", stored: writer.bytes) == Bucket(name: "b", created: time))
    }
  }

  @Test("an object that is made while its bucket goes brings it back")
  func bucketOfNewObject() async throws {
    let memory = MemoryStore()
    let store = ObjectStore(store: memory, files: MemoryBlobs(), now: { 1_000 })
    try await store.ensureBucket("bkt")
    try await store.deleteBucket("bkt", Preconditions())
    #expect(try store.bucket("bkt") == nil)
    let request = UploadRequest(
      name: try ObjectName(bucket: "bkt", name: "a"), attributes: ObjectAttributes(), tokens: [])
    _ = try await store.upload(request, from: Given([1]))
    #expect(try store.bucket("bkt") != nil)
    await #expect(throws: StorageError.self) {
      try await store.deleteBucket("bkt", Preconditions())
    }
    #expect(try store.buckets(prefix: "", after: nil, limit: 9).map(\.name) == ["bkt"])
    #expect(try store.buckets(prefix: "b", after: "bkt", limit: 9).isEmpty)
  }
}
