import Coding
import FirestoreModel
import Testing

@Suite struct MaskTests {
  private let names: [UTF8String] = ["a", "b", "c", "d"]

  private func map(_ random: inout SeededGenerator, depth: Int = 0) -> MapValue {
    var map = MapValue()
    for name in names where !Int.random(in: 1...3, using: &random).isMultiple(of: 3) {
      let isMap = depth < 3 && Bool.random(using: &random)
      map[name] =
        isMap
        ? .map(self.map(&random, depth: depth + 1)) : .integer(.random(in: 0...99, using: &random))
    }
    return map
  }

  @Test("a mask does what its paths do one by one", arguments: 0..<300)
  func pathByPath(seed: Int) {
    var random = SeededGenerator(seed)
    let current = map(&random)
    let source = map(&random)
    let paths = (0...Int.random(in: 0...8, using: &random)).map { _ in
      FieldPath(
        segments: (0...Int.random(in: 0...3, using: &random)).map { _ in
          names[Int.random(in: 0...3, using: &random)]
        })
    }
    var expected = current
    for path in paths.sorted(by: { FieldPath.compare($0, $1) == .ascending }) {
      if let value = source[path] { expected.set(path, to: value) } else { expected.remove(path) }
    }
    let replaced = current.replacing(FieldMask(paths), with: source)
    #expect(replaced == expected)
  }

  @Test func theNameIsNoField() {
    let map = MapValue([.init(name: "a", value: .null)])
    #expect(map.replacing(FieldMask([.documentName]), with: MapValue()).count == 1)
  }
}
