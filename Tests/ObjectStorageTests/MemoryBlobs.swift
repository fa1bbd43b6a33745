import ObjectStorage
import Synchronization

/// Blobs in memory; nothing blocks.
final class MemoryBlobs: BlobFiles {
  final class Blob: BlobFile {
    let bytes = Mutex<[UInt8]>([])

    func write(_ new: [UInt8], at offset: Int64) {
      bytes.withLock { $0.replaceSubrange(Int(offset)..<$0.count, with: new) }
    }

    func copy(_ count: Int, at offset: Int64, to descriptor: Int32) -> Int { 0 }

    func read(_ count: Int, at offset: Int64) -> [UInt8] {
      bytes.withLock { Array($0.dropFirst(Int(offset)).prefix(count)) }
    }
  }

  struct Folders: Sendable {
    var temporary: [BlobID: Blob] = [:]
    var placed: [BlobID: Blob] = [:]
  }

  let folders = Mutex(Folders())

  /// How many blobs there are, by folder.
  var counts: [Int] { folders.withLock { [$0.temporary.count, $0.placed.count] } }

  func offload<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    body()
  }

  func openForWriting(_ blob: BlobID) -> any BlobFile {
    folders.withLock { folders in
      if let placed = folders.placed[blob] { return placed }
      let open = folders.temporary[blob] ?? Blob()
      folders.temporary[blob] = open
      return open
    }
  }

  func size(of blob: BlobID) -> Int64 {
    let found = folders.withLock { $0.temporary[blob] ?? $0.placed[blob] }
    return found?.bytes.withLock { Int64($0.count) } ?? 0
  }

  func open(_ blob: BlobID) -> (any BlobFile)? { folders.withLock { $0.placed[blob] } }

  func place(_ blob: BlobID) {
    folders.withLock { folders in
      if let blobFile = folders.temporary.removeValue(forKey: blob) {
        folders.placed[blob] = blobFile
      }
    }
  }

  func remove(_ blob: BlobID) {
    folders.withLock { folders in
      folders.temporary[blob] = nil
      folders.placed[blob] = nil
    }
  }
}

/// Pieces that are given out one by one, and perhaps an error behind them.
struct Given: ByteSource {
  var pieces: [[UInt8]]
  var failure: StorageError?

  init(_ pieces: [UInt8]..., failure: StorageError? = nil) {
    self.pieces = pieces
    self.failure = failure
  }

  mutating func next() async throws(StorageError) -> [UInt8]? {
    if !pieces.isEmpty { return pieces.removeFirst() }
    if let failure { throw failure }
    return nil
  }
}
