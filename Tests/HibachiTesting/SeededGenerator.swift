/// A random number generator (SplitMix64) that gives the same numbers for the same seed everywhere.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: Int) {
    // The seed as it is would give the numbers of the seed before it, one later.
    state = Self.mixed(UInt64(bitPattern: Int64(seed)))
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    return Self.mixed(state)
  }

  private static func mixed(_ state: UInt64) -> UInt64 {
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A random number of `range`.
  package mutating func int(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &self)
  }

  /// True once in `times` times.
  package mutating func once(in times: Int) -> Bool {
    int(1...times) == 1
  }

  /// `count` random bytes.
  package mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
  }
}
