import Coding
import FirestoreModel
import Testing

@Suite struct StorageKeyTests {
  static let paths = [
    "a/__id-9223372036854775808__", "a/__id-1__", "a/__id7__", "a/\0", "a/\u{1}", "a/1", "a/b",
    "a/b\0", "a/é", "a/e\u{301}",
    "a/b/c/d", "a/b/c/__id7__", "a/b/c\0/d", "a/b/c/d/e/f", "a\0/b", "a\0/b/c/d", "b/b", "\0/\0",
  ].map(path)
  static let number = DatabaseNumber(rawValue: 300)

  func inside(_ key: [UInt8], _ prefix: [UInt8]) -> Bool {
    order(prefix, key) != .descending
      && KeyPrefix.end(of: prefix).map { order(key, $0) == .ascending } != false
  }

  @Test(arguments: paths)
  func keys(_ path: DocumentPath) throws {
    let key = StorageKey.document(Self.number, path)
    let decoded = try #require(StorageKey.decode(key))
    #expect(decoded == (Self.number, path))
    let collection = StorageKey.collection(Self.number, path.collection)
    #expect(StorageKey.documentID(of: key, behind: collection) == path.id)
    #expect(NameKey.decode(NameKey.document(path)) == path.segments)
    for count in 0..<key.count { #expect(StorageKey.decode(Array(key[..<count])) == nil) }
    for other in Self.paths {
      let otherKey = StorageKey.document(Self.number, other)
      #expect(inside(otherKey, collection) == (other.collection == path.collection))
      let isBelow =
        other.segments.count > path.segments.count && other.segments.starts(with: path.segments)
      #expect(inside(otherKey, StorageKey.descendants(Self.number, of: path)) == isBelow)
      #expect(inside(otherKey, StorageKey.descendants(Self.number, of: nil)))
      if other.collection == path.collection {
        #expect(order(key, otherKey) == DocumentPath.compare(path, other))
      }
      #expect(
        order(NameKey.document(path), NameKey.document(other)) == DocumentPath.compare(path, other))
    }
  }

  @Test(arguments: [0, 1, 255, 256, 1 << 40, UInt64.max])
  func databasesAreApart(_ number: UInt64) throws {
    let here = DatabaseNumber(rawValue: number)
    let there = DatabaseNumber(rawValue: number &+ 1)
    let key = StorageKey.document(here, path("a/b"))
    #expect(StorageKey.decode(key)?.0 == here)
    #expect(inside(key, StorageKey.database(here)))
    #expect(!inside(key, StorageKey.database(there)))
  }

  @Test func ends() {
    #expect(KeyPrefix.end(of: [1, 255]) == [2])
    #expect(KeyPrefix.end(of: [255]) == nil)
    #expect(KeyPrefix.next(after: [1]) == [1, 0])
  }
}
