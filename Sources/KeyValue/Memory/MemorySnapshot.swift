internal import Synchronization

/// The contents of a `MemoryStore` at one commit, until closed.
final class MemorySnapshot: StoreSnapshot {
  private let contents: Mutex<MemoryContents?>

  init(_ contents: MemoryContents) {
    self.contents = Mutex(contents)
  }

  var version: Int64 {
    get throws(StoreError) { try open().version }
  }

  func get(_ space: Space, _ key: [UInt8]) throws(StoreError) -> [UInt8]? {
    try open().get(space, key)
  }

  func scan(
    _ space: Space, _ range: KeyRange, _ direction: ScanDirection, limit: Int
  ) throws(StoreError) -> [KeyValuePair] {
    try open().scan(space, range, direction, limit: limit)
  }

  func count(_ space: Space, _ range: KeyRange) throws(StoreError) -> Int {
    try open().count(space, range)
  }

  func key(_ space: Space, _ range: KeyRange, behind offset: Int) throws(StoreError) -> [UInt8]? {
    try open().key(space, range, behind: offset)
  }

  func close() {
    // What only this view still held is freed outside the lock.
    let last = contents.withLock { $0.take() }
    _ = consume last
  }

  private func open() throws(StoreError) -> MemoryContents {
    guard let contents = contents.withLock({ $0 }) else {
      throw StoreError(.closed, "The snapshot was closed.")
    }
    return contents
  }
}
