/// Everything in a `MemoryStore` at one commit; copying it is O(1).
struct MemoryContents: StoreReader, Sendable {
  /// One tree for each space, at its raw value.
  private var trees = Array(
    repeating: KeyTree(), count: Int(Space.allCases.reduce(0) { max($0, $1.rawValue) }) + 1)
  var version: Int64 = 0

  func get(_ space: Space, _ key: [UInt8]) -> [UInt8]? {
    trees[Int(space.rawValue)].value(at: key)
  }

  func scan(
    _ space: Space, _ range: KeyRange, _ direction: ScanDirection, limit: Int
  ) -> [KeyValuePair] {
    trees[Int(space.rawValue)].pairs(in: range, direction, limit: limit)
  }

  func count(_ space: Space, _ range: KeyRange) -> Int {
    trees[Int(space.rawValue)].count(in: range)
  }

  func key(_ space: Space, _ range: KeyRange, behind offset: Int) -> [UInt8]? {
    trees[Int(space.rawValue)].key(in: range, behind: offset)
  }

  mutating func put(_ space: Space, _ key: [UInt8], _ value: [UInt8]) {
    trees[Int(space.rawValue)].put(KeyValuePair(key: fitted(key), value: fitted(value)))
  }

  mutating func delete(_ space: Space, _ key: [UInt8]) {
    trees[Int(space.rawValue)].remove(key)
  }

  mutating func delete(_ space: Space, _ range: KeyRange, limit: Int) -> Int {
    trees[Int(space.rawValue)].remove(in: range, limit: limit)
  }

  /// `bytes` without the spare room of an array that was built by appending.
  private func fitted(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.capacity - bytes.count > 64 + bytes.count / 8 else { return bytes }
    var copy: [UInt8] = []
    copy.reserveCapacity(bytes.count)
    copy.append(contentsOf: bytes)
    return copy
  }
}
