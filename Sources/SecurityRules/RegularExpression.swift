internal import CRE2
internal import Coding
internal import Synchronization

/// A regular expression of RE2: linear in the text, whatever the pattern.
final class RegularExpression: Sendable {
  /// The address of the compiled pattern, which RE2 lets many threads use at once.
  private let address: UInt

  /// The last short text, and whether it matched: with most requests the same user comes.
  private let latest = Mutex<(text: String, matches: Bool)?>(nil)

  private var pointer: OpaquePointer? { unsafe OpaquePointer(bitPattern: address) }

  /// A match: the bounds in bytes of the whole and of each group, `nil` for a group that took no part.
  struct Match {
    var groups: [Range<Int>?]

    var whole: Range<Int> { groups.first.flatMap(\.self) ?? 0..<0 }
  }

  /// `nil` if RE2 does not take the pattern.
  init?(_ pattern: String) {
    let bytes = Array(pattern.utf8)
    address = unsafe bytes.withUnsafeBufferPointer {
      unsafe UInt(bitPattern: cre2_compile($0.baseAddress, $0.count))
    }
    guard address != 0 else { return nil }
  }

  deinit { unsafe cre2_free(pointer) }

  /// Whether the whole of `text` matches.
  func matchesWhole(_ text: String) -> Bool {
    if let (known, matches) = latest.withLock({ $0 }), known.hasBytes(of: text) { return matches }
    var bytes = text
    let matches = bytes.withUTF8 {
      unsafe cre2_matches_whole(pointer, $0.baseAddress, $0.count)
    }
    if text.utf8.count <= 256 { latest.withLock { $0 = (text, matches) } }
    return matches
  }

  /// How many groups the pattern has.
  var groupCount: Int { unsafe Int(cre2_groups(pointer)) }

  /// The number of a named group.
  func group(named name: [UInt8]) -> Int? {
    let number = unsafe name.withUnsafeBufferPointer {
      unsafe cre2_group_named(pointer, $0.baseAddress, $0.count)
    }
    return number < 0 ? nil : Int(number)
  }

  /// The matches in `text`, from left to right, none within another.
  ///
  /// An empty match moves on by one character, as in RE2's and Java's own replacing.
  func matches(in text: [UInt8]) -> [Match] {
    var matches: [Match] = []
    var start = 0
    while start <= text.count, let match = firstMatch(in: text, from: start) {
      matches.append(match)
      start = match.whole.upperBound
      if match.whole.isEmpty {
        start += 1
        while start < text.count, text[start] & 0xc0 == 0x80 { start += 1 }
      }
    }
    return matches
  }

  private func firstMatch(in text: [UInt8], from start: Int) -> Match? {
    let count = groupCount + 1
    var bounds = [Int64](repeating: -1, count: count * 2)
    let found = unsafe text.withUnsafeBufferPointer { text in
      unsafe bounds.withUnsafeMutableBufferPointer { bounds in
        unsafe cre2_find(
          pointer, text.baseAddress, text.count, start, bounds.baseAddress, Int32(count))
      }
    }
    guard found else { return nil }
    return Match(
      groups: (0..<count).map { index in
        let lower = Int(bounds[2 * index])
        return lower < 0 ? nil : lower..<Int(bounds[2 * index + 1])
      })
  }
}
