/// `split` and `replace`, as Java does them.
enum PatternText {
  /// The pieces between the matches; empty ones at the end are dropped, but not all of them.
  static func split(_ text: String, _ pattern: RegularExpression, _: String) -> RulesValue {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty else { return .list([.string("")]) }
    var pieces: [String] = []
    var start = 0
    for match in pattern.matches(in: bytes) {
      let range = match.whole
      // An empty match at the end cuts off nothing.
      if range.isEmpty, range.lowerBound == bytes.count { continue }
      pieces.append(String(decoding: bytes[start..<range.lowerBound], as: UTF8.self))
      start = range.upperBound
    }
    pieces.append(String(decoding: bytes[start...], as: UTF8.self))
    while pieces.count > 1, pieces.last == "" { pieces.removeLast() }
    return .list(pieces.map { .string($0) })
  }

  /// Every match replaced; in `replacement` a `$` names a group and a backslash takes the next character as it is.
  static func replace(
    _ text: String, _ pattern: RegularExpression, _ replacement: String
  ) throws(EvaluationFailure) -> RulesValue {
    let parts = try Self.parts(of: Array(replacement.utf8), pattern)
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var start = 0
    for match in pattern.matches(in: bytes) {
      result += bytes[start..<match.whole.lowerBound]
      for part in parts {
        switch part {
        case .text(let text): result += text
        case .group(let number):
          if let range = match.groups[number] { result += bytes[range] }
        }
      }
      start = match.whole.upperBound
      guard result.count <= RulesValue.largest else { throw .tooLarge }
    }
    result += bytes[start...]
    return .string(String(decoding: result, as: UTF8.self))
  }

  private enum Part {
    case text([UInt8])
    case group(Int)
  }

  private static func parts(
    of replacement: [UInt8], _ pattern: RegularExpression
  ) throws(EvaluationFailure) -> [Part] {
    var parts: [Part] = []
    var index = 0
    while index < replacement.count {
      let byte = replacement[index]
      index += 1
      let next = index < replacement.count ? replacement[index] : nil
      if byte == UInt8(ascii: "\\"), let next {
        parts.append(.text([next]))
        index += 1
      } else if byte == UInt8(ascii: "$"), let next, let digit = digit(next) {
        var number = digit
        index += 1
        // More digits belong to it as long as there is such a group.
        while index < replacement.count, let digit = self.digit(replacement[index]),
          number * 10 + digit <= pattern.groupCount
        {
          number = number * 10 + digit
          index += 1
        }
        guard number <= pattern.groupCount else {
          throw EvaluationFailure("No group \(number) in the pattern.")
        }
        parts.append(.group(number))
      } else if byte == UInt8(ascii: "$"), next == UInt8(ascii: "{"),
        let end = replacement[index...].firstIndex(of: UInt8(ascii: "}"))
      {
        let name = Array(replacement[(index + 1)..<end])
        guard let number = pattern.group(named: name) else {
          throw EvaluationFailure(
            "No group \(String(decoding: name, as: UTF8.self)) in the pattern.")
        }
        parts.append(.group(number))
        index = end + 1
      } else {
        parts.append(.text([byte]))
      }
    }
    return parts
  }

  private static func digit(_ byte: UInt8) -> Int? {
    let digit = byte &- UInt8(ascii: "0")
    return digit < 10 ? Int(digit) : nil
  }
}
