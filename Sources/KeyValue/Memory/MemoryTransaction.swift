/// One write of a `MemoryStore`: edits a copy of the contents, which replaces them if the write
/// ends well.
final class MemoryTransaction: StoreTransaction {
  /// What the store will hold, apart from the version.
  private(set) var contents: MemoryContents
  /// The version that the store will have.
  private(set) var newVersion: Int64
  /// The version before this write.
  let version: Int64

  init(_ contents: MemoryContents) {
    self.contents = contents
    self.version = contents.version
    self.newVersion = contents.version
  }

  /// What the store holds when the write is in.
  var result: MemoryContents {
    var result = contents
    result.version = newVersion
    return result
  }

  func get(_ space: Space, _ key: [UInt8]) -> [UInt8]? {
    contents.get(space, key)
  }

  func scan(
    _ space: Space, _ range: KeyRange, _ direction: ScanDirection, limit: Int
  ) -> [KeyValuePair] {
    contents.scan(space, range, direction, limit: limit)
  }

  func count(_ space: Space, _ range: KeyRange) -> Int {
    contents.count(space, range)
  }

  func key(_ space: Space, _ range: KeyRange, behind offset: Int) -> [UInt8]? {
    contents.key(space, range, behind: offset)
  }

  func put(_ space: Space, _ key: [UInt8], _ value: [UInt8]) {
    contents.put(space, key, value)
  }

  func delete(_ space: Space, _ key: [UInt8]) {
    contents.delete(space, key)
  }

  func delete(_ space: Space, _ range: KeyRange, limit: Int) -> Int {
    contents.delete(space, range, limit: limit)
  }

  func setVersion(_ version: Int64) {
    precondition(version > self.version, "version \(version) is not above \(self.version)")
    newVersion = version
  }
}
