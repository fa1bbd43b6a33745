package import Coding

/// A pattern for names: `*` for anything without slashes, `**` for anything, `**/` for any folders or none, `?`, `[a-z]`, `[!a]`,
/// `{a,b}`; a backslash takes the meaning from what follows.
package struct Glob: Hashable, Sendable {
  private enum Token: Hashable {
    case byte(UInt8)
    case anyButSlash
    /// Anything of any length.
    case all
    case allButSlash
    /// Nothing, or anything up to a slash.
    case folders
    case set([ClosedRange<UInt8>], isNegated: Bool)
  }

  private static let maximumAlternatives = 64
  private static let maximumLength = 2048

  private let alternatives: [[Token]]

  /// - Throws: `.invalidArgument` for a pattern that makes no sense or says too much.
  package init(_ pattern: UTF8String) throws(StorageError) {
    guard pattern.count <= Self.maximumLength else { throw Self.malformed }
    alternatives = try Self.expand(Array(pattern.utf8)).map(Self.tokens)
  }

  private static let malformed = StorageError(.invalidArgument, "Invalid matchGlob.")

  /// The patterns without braces that one with braces stands for.
  private static func expand(_ pattern: [UInt8]) throws(StorageError) -> [[UInt8]] {
    var done: [[UInt8]] = []
    var rest = [pattern]
    while let next = rest.popLast() {
      guard done.count + rest.count <= maximumAlternatives else { throw malformed }
      guard let (before, parts, after) = try firstBraces(next) else {
        done.append(next)
        continue
      }
      rest += parts.map { Array(before + $0 + after) }
    }
    return done
  }

  /// The first outer braces of a pattern in parts; `nil` if there are none.
  private static func firstBraces(
    _ pattern: [UInt8]
  ) throws(StorageError) -> (ArraySlice<UInt8>, [ArraySlice<UInt8>], ArraySlice<UInt8>)? {
    var depth = 0
    var (start, partStart) = (0, 0)
    var parts: [ArraySlice<UInt8>] = []
    var index = 0
    while index < pattern.count {
      switch pattern[index] {
      case UInt8(ascii: "\\"): index += 1
      case UInt8(ascii: "{"):
        if depth == 0 { (start, partStart) = (index, index + 1) }
        depth += 1
      case UInt8(ascii: ",") where depth == 1:
        parts.append(pattern[partStart..<index])
        partStart = index + 1
      case UInt8(ascii: "}") where depth > 0:
        depth -= 1
        if depth == 0 {
          parts.append(pattern[partStart..<index])
          return (pattern[..<start], parts, pattern[(index + 1)...])
        }
      default: break
      }
      index += 1
    }
    guard depth == 0 else { throw malformed }
    return nil
  }

  private static func tokens(_ pattern: [UInt8]) throws(StorageError) -> [Token] {
    var tokens: [Token] = []
    var index = 0
    while index < pattern.count {
      let byte = pattern[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\\"):
        guard index < pattern.count else { throw malformed }
        tokens.append(.byte(pattern[index]))
        index += 1
      case UInt8(ascii: "?"): tokens.append(.anyButSlash)
      case UInt8(ascii: "*"):
        let isDouble = index < pattern.count && pattern[index] == byte
        let isFolder =
          isDouble && pattern[(index + 1)...].first == UInt8(ascii: "/")
          && (tokens.isEmpty || tokens.last == .byte(UInt8(ascii: "/")))
        tokens.append(isFolder ? .folders : isDouble ? .all : .allButSlash)
        index += isFolder ? 2 : isDouble ? 1 : 0
      case UInt8(ascii: "["): tokens.append(try set(pattern, &index))
      default: tokens.append(.byte(byte))
      }
    }
    return tokens
  }

  private static func set(
    _ pattern: [UInt8], _ index: inout Int
  ) throws(StorageError) -> Token {
    guard let end = pattern[index...].dropFirst().firstIndex(of: UInt8(ascii: "]")) else {
      throw malformed
    }
    var content = pattern[index..<end]
    index = end + 1
    let isNegated = content.first == UInt8(ascii: "!") || content.first == UInt8(ascii: "^")
    if isNegated { content = content.dropFirst() }
    var ranges: [ClosedRange<UInt8>] = []
    while let first = content.popFirst() {
      var last = first
      if content.count > 1, content.first == UInt8(ascii: "-") {
        last = content.dropFirst().first ?? first
        content = content.dropFirst(2)
      }
      guard first <= last else { throw malformed }
      ranges.append(first...last)
    }
    return .set(ranges, isNegated: isNegated)
  }

  /// Whether all of a name is what the pattern describes; in steps that grow with the product of both lengths at most.
  package func matches(_ name: some Collection<UInt8>) -> Bool {
    let name = Array(name)
    return alternatives.contains { Self.matches(name, $0) }
  }

  private static func matches(_ name: [UInt8], _ tokens: [Token]) -> Bool {
    // Which parts of the name, from its start on, the tokens so far can stand for, by their lengths.
    var reached = [Bool](repeating: false, count: name.count + 1)
    reached[0] = true
    for token in tokens {
      var next = [Bool](repeating: false, count: name.count + 1)
      switch token {
      case .all, .allButSlash:
        var isOpen = false
        for index in reached.indices {
          if token == .allButSlash, index > 0, name[index - 1] == UInt8(ascii: "/") {
            isOpen = false
          }
          isOpen = isOpen || reached[index]
          next[index] = isOpen
        }
      case .folders:
        var isOpen = false
        for index in reached.indices {
          let isBehindSlash = index > 0 && name[index - 1] == UInt8(ascii: "/")
          next[index] = reached[index] || isOpen && isBehindSlash
          isOpen = isOpen || reached[index]
        }
      case .byte, .anyButSlash, .set:
        for index in name.indices where reached[index] && accepts(token, name[index]) {
          var end = index + 1
          // One character may be several bytes.
          while token == .anyButSlash, end < name.count, name[end] & 0xc0 == 0x80 { end += 1 }
          next[end] = true
        }
      }
      reached = next
    }
    return reached[name.count]
  }

  private static func accepts(_ token: Token, _ byte: UInt8) -> Bool {
    switch token {
    case .byte(let wanted): byte == wanted
    case .anyButSlash: byte != UInt8(ascii: "/")
    case .set(let ranges, let isNegated):
      byte != UInt8(ascii: "/") && ranges.contains { $0.contains(byte) } != isNegated
    case .all, .allButSlash, .folders: false
    }
  }
}
