import HibachiTesting
import KeyValue
import Testing

@testable import KeyValueSQLite

private struct Refused: Error {}

@Suite struct RecentValuesTests {
  private let recent = RecentValues()

  /// What is found at `key`, where `value` is what would be read; and whether it was read.
  private func look(
    _ key: [UInt8], _ value: [UInt8]?, in space: Space = .documents
  ) throws -> (value: [UInt8]?, isRead: Bool) {
    var isRead = false
    let found = try recent.value(space, key) { () throws(StoreError) in
      isRead = true
      return value
    }
    return (found, isRead)
  }

  private func isKept(_ key: [UInt8], _ value: [UInt8]?, in space: Space = .documents) throws
    -> Bool
  {
    _ = try look(key, value, in: space)
    let second = try look(key, value, in: space)
    #expect(second.value == value)
    return !second.isRead
  }

  private func places(_ keys: [UInt8]..., space: Space = .documents) -> RecentValues.Places {
    var places = RecentValues.Places()
    for key in keys { places.insert(space, key) }
    return places
  }

  private func count(_ places: RecentValues.Places) -> Int {
    var count = 0
    places.forEach { _ in count += 1 }
    return count
  }

  @Test func boundsOfWhatIsKept() throws {
    #expect(try isKept([], []))
    #expect(try isKept([1], [UInt8](repeating: 1, count: 4_096)))
    #expect(try !isKept([2], [UInt8](repeating: 1, count: 4_097)))
    #expect(try isKept([UInt8](repeating: 1, count: 256), [1]))
    #expect(try !isKept([UInt8](repeating: 1, count: 257), [1]))
    #expect(try !isKept([3], nil))
    #expect(try isKept([4], [1], in: .collections))
    #expect(try !isKept([5], [1], in: .entries))
  }

  @Test func spacesAreApart() throws {
    for byte in UInt8.min ... .max {
      #expect(try look([byte], [1], in: .documents).value == [1])
      #expect(try look([byte], [2], in: .collections).value == [2])
    }
  }

  /// Keys of one collection, which differ at their ends, find places of their own.
  @Test(arguments: [0, 1, 7, 8, 20, 63])
  func keysAreSpread(prefix: Int) {
    var places = RecentValues.Places()
    for number in 0..<256 {
      let digits = Array("\(number)".utf8)
      places.insert(.documents, [UInt8](repeating: 9, count: prefix) + digits + [0, 1])
    }
    #expect(count(places) > 128)
  }

  @Test func commitForgetsWhatItChanges() throws {
    #expect(try isKept([1], [1]))
    recent.changing(places([1])) {}
    #expect(try look([1], [2]) == ([2], true))
    #expect(try look([1], [9]) == ([2], false))
    recent.changing(places([1], space: .entries)) {}
    #expect(try look([1], [9]) == ([2], false))
    #expect(throws: Refused.self) {
      try recent.changing(places([1])) { () throws(Refused) in throw Refused() }
    }
    #expect(try look([1], [3]) == ([3], true))
    var all = RecentValues.Places()
    all.insertAll(.entries)
    #expect(count(all) == 0)
    all.insertAll(.documents)
    #expect(count(all) == 256)
    recent.changing(all) {}
    #expect(try look([1], [4]) == ([4], true))
    #expect(try look([1], [9]) == ([4], false))
  }

  @Test func readBesideACommitIsNotKept() throws {
    // It begins before the commit and ends after it.
    let old = try recent.value(.documents, [1]) { () throws(StoreError) in
      recent.changing(places([1])) {}
      return [1]
    }
    #expect(old == [1])
    #expect(try look([1], [2]) == ([2], true))
    // It begins before the commit and ends during it; the next runs during it.
    try recent.changing(places([1])) { () throws in
      #expect(try look([1], [2]) == ([2], true))
      #expect(try look([1], [3]) == ([3], true))
    }
    #expect(try look([1], [3]) == ([3], true))
    // A commit elsewhere is in nobody's way.
    let place = places([1])
    let elsewhere = try #require(
      (UInt8.min ... .max).lazy.map { places([$0]) }.first { other in
        var both = other
        both.formUnion(place)
        return count(both) == 2
      })
    try recent.changing(elsewhere) { () throws in #expect(try look([1], [9]) == ([3], false)) }
    #expect(try look([1], [9]) == ([3], false))
  }

  @Test func readThatBeginsDuringACommitIsNotKept() throws {
    var during: [UInt8]?
    try recent.changing(places([1])) { () throws in
      during = try recent.value(.documents, [1]) { () throws(StoreError) in [1] }
    }
    #expect(during == [1])
    #expect(try look([1], [2]) == ([2], true))
  }

  @Test func closedKeepsNothing() throws {
    #expect(try isKept([1], [1]))
    recent.close()
    #expect(try !isKept([1], [2]))
  }
}
