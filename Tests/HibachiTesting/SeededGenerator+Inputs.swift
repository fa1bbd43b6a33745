extension SeededGenerator {
  /// Random bytes, at most `count` of them.
  package mutating func bytes(upTo count: Int) -> [UInt8] {
    bytes(int(0...count))
  }

  /// `text` with a few bytes changed, removed or doubled, or cut off.
  package mutating func mutated(_ text: [UInt8]) -> [UInt8] {
    var text = text
    for _ in 0...int(0...3) where !text.isEmpty {
      let index = int(0...(text.count - 1))
      switch int(0...3) {
      case 0: text[index] = .random(in: .min ... .max, using: &self)
      case 1: text.remove(at: index)
      case 2: text.insert(text[index], at: index)
      default: text.removeSubrange(index...)
      }
    }
    return text
  }
}
