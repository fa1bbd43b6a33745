import FirestoreModel
import HibachiTesting
import Testing

@testable import FirestoreListen

@Suite("Windows of results")
struct ResultWindowTests {
  private static func key(_ number: Int, _ path: DocumentPath) -> SortKey {
    var key = SortKey()
    key.append(.integer(Int64(number)), .ascending)
    key.append(path, .ascending)
    return key
  }

  @Test("moves are what a sort gives, refills included", arguments: 0..<100)
  func model(seed: Int) {
    var random = SeededGenerator(seed: seed)
    let offset = random.int(0...2)
    let range = offset..<(offset + random.int(0...4))
    var window = ResultWindow(range)
    window.fill(WindowContent(entries: [], isComplete: true))
    var places: [DocumentPath: Int] = [:]
    var known: Set<DocumentPath> = []
    for _ in 0..<100 {
      let path = name("c/\(random.int(0...12))").path
      let before = places[path].map { Self.key($0, path) }
      places[path] = random.once(in: 3) ? nil : random.int(0...20)
      window.move(path, from: before, to: places[path].map { Self.key($0, path) })
      let all = places.map { ResultWindow.Entry(key: Self.key($0.value, $0.key), path: $0.key) }
        .sorted { $0.key < $1.key }
      if random.once(in: 10) || window.isShort {
        let some = Array(all.prefix(range.upperBound + random.int(0...3)))
        window.fill(WindowContent(entries: some, isComplete: some.count == all.count))
      }
      let (entered, left) = window.show()
      known.subtract(left)
      known.formUnion(entered)
      let expected = all.dropFirst(range.lowerBound).prefix(range.count).map(\.path)
      #expect(window.inOrder == expected)
      #expect(known == Set(expected))
    }
  }
}
