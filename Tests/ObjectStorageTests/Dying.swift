import KeyValue
import Synchronization

@testable import ObjectStorage

/// How many effects on store and files a process has left to live. After the last one nothing it does has an effect.
final class Life: Sendable {
  private let left: Mutex<Int>

  init(_ steps: Int) {
    left = Mutex(steps)
  }

  var isOver: Bool { left.withLock { $0 < 0 } }

  /// Lives through one more step.
  func step() throws(StorageError) {
    let isOver = left.withLock { left in
      if left >= 0 { left -= 1 }
      return left < 0
    }
    if isOver { throw StorageError(.internalError, "dead") }
  }

  /// Dies before an effect, after it, or not at all.
  func around<Result>(
    _ effect: () throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try step()
    let result = try effect()
    try step()
    return result
  }
}

/// A store whose process dies.
final class DyingStore: OrderedStore {
  private let store: MemoryStore
  private let life: Life

  init(_ store: MemoryStore, _ life: Life) {
    self.store = store
    self.life = life
  }

  func write<Result: Sendable>(
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Result,
    applied: @escaping @Sendable (Result) -> Void
  ) async throws -> Result {
    try life.step()
    let result = try await store.write(body, applied: applied)
    try life.step()
    return result
  }

  func read<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result {
    if life.isOver { throw StorageError(.internalError, "dead") }
    return try store.read(body)
  }

  func get(_ space: Space, _ key: [UInt8]) throws(StoreError) -> [UInt8]? {
    try store.get(space, key)
  }

  func snapshot() async throws(StoreError) -> any StoreSnapshot { try await store.snapshot() }

  func close() async {}
}

/// Files whose process dies.
struct DyingBlobs: BlobFiles {
  private struct File: BlobFile {
    let file: any BlobFile
    let life: Life

    func write(_ bytes: [UInt8], at offset: Int64) throws(StorageError) {
      // Half of it may be there.
      try life.step()
      try file.write(Array(bytes.prefix(bytes.count / 2)), at: offset)
      try life.step()
      try file.write(bytes, at: offset)
      try life.step()
    }

    func copy(_ count: Int, at offset: Int64, to descriptor: Int32) -> Int { 0 }

    func read(_ count: Int, at offset: Int64) throws(StorageError) -> [UInt8] {
      try file.read(count, at: offset)
    }
  }

  let blobs: MemoryBlobs
  let life: Life

  func offload<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await blobs.offload(body)
  }

  func openForWriting(_ blob: BlobID) throws(StorageError) -> any BlobFile {
    try life.around { File(file: blobs.openForWriting(blob), life: life) }
  }

  func size(of blob: BlobID) throws(StorageError) -> Int64 { blobs.size(of: blob) }

  func open(_ blob: BlobID) throws(StorageError) -> (any BlobFile)? { blobs.open(blob) }

  func place(_ blob: BlobID) throws(StorageError) {
    try life.around { blobs.place(blob) }
  }

  func remove(_ blob: BlobID) throws(StorageError) {
    try life.around { blobs.remove(blob) }
  }
}
