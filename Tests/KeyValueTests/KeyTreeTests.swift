import HibachiTesting
import Testing

@testable import KeyValue

@Suite struct KeyTreeTests {
  private func key(_ number: Int) -> [UInt8] {
    [UInt8(number >> 16 & 0xff), UInt8(number >> 8 & 0xff), UInt8(number & 0xff)]
  }

  private func tree(_ keys: some Sequence<Int>) -> KeyTree {
    var tree = KeyTree()
    for number in keys { tree.put(KeyValuePair(key: key(number), value: [])) }
    return tree
  }

  private func keys(_ tree: KeyTree) -> [[UInt8]] {
    tree.pairs(in: KeyRange(from: [], to: nil), .ascending, limit: .max).map(\.key)
  }

  enum Order: CaseIterable { case ascending, descending, shuffled }

  @Test(arguments: Order.allCases)
  func keepsOrderAndCounts(_ order: Order) {
    var random = SeededGenerator(seed: 1)
    let numbers =
      switch order {
      case .ascending: Array(0..<20_000)
      case .descending: Array((0..<20_000).reversed())
      case .shuffled: (0..<20_000).shuffled(using: &random)
      }
    var tree = tree(numbers)
    #expect(keys(tree) == (0..<20_000).map(key))
    for start in stride(from: 0, to: 20_000, by: 997) {
      #expect(tree.count(in: KeyRange(from: key(start), to: key(start + 500))) <= 500)
      #expect(tree.count(in: KeyRange(from: key(start), to: nil)) == 20_000 - start)
    }
    for number in numbers.shuffled(using: &random).dropLast(5) { tree.remove(key(number)) }
    #expect(tree.count == 5)
    #expect(keys(tree).count == 5)
  }

  @Test(arguments: 0..<20)
  func removesRanges(seed: Int) {
    var random = SeededGenerator(seed: seed)
    var left = Array(0..<random.int(1...9_000))
    var tree = tree(left.shuffled(using: &random))
    while !left.isEmpty {
      let copy = tree
      let before = left
      let start = random.int(0...left.count - 1)
      let end = random.once(in: 3) ? left.count : random.int(start...left.count)
      let limit = random.once(in: 2) ? .max : random.int(0...1_000)
      let range = KeyRange(
        from: key(left[start]), to: end == left.count ? nil : key(left[end]))
      let removed = tree.remove(in: range, limit: limit)
      #expect(removed == min(limit, end - start))
      left.removeSubrange(start..<(start + removed))
      #expect(keys(tree) == left.map(key))
      #expect(keys(copy) == before.map(key))
      for _ in 0..<20 {
        let number = random.int(0...9_000)
        guard !left.contains(number) else { continue }
        tree.put(KeyValuePair(key: key(number), value: []))
        left.insert(number, at: left.firstIndex { $0 > number } ?? left.count)
      }
      #expect(tree.count == left.count)
      if random.once(in: 30) { break }
    }
  }
}
