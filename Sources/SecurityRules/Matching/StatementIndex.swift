/// The statements of a service in the order of the source, each with the whole pattern of its block.
struct StatementIndex: Sendable {
  struct Block: Sendable {
    /// The patterns of the enclosing blocks and its own, joined.
    var pattern: [PatternSegment]
  }

  struct Statement: Sendable {
    var block: Int
    var statement: AllowStatement
  }

  private(set) var blocks: [Block] = []
  private(set) var statements: [Statement] = []

  /// Of no service: nothing is allowed.
  init() {}

  init(_ service: Service) {
    for match in service.matches { add(match, behind: []) }
  }

  /// Goes down as deep as blocks lie in one another, which the checker bounds.
  private mutating func add(_ match: MatchBlock, behind outer: [PatternSegment]) {
    let block = blocks.count
    blocks.append(Block(pattern: outer + match.pattern))
    for item in match.items {
      switch item {
      case .allow(let statement): statements.append(Statement(block: block, statement: statement))
      case .match(let inner): add(inner, behind: outer + match.pattern)
      }
    }
  }
}

/// A part of the path that a request is about.
package enum PathElement: Sendable {
  case text(String)
  /// One segment that could be any: the documents of a query.
  case anyOne
  /// Any number of segments: the parents of a query over a collection group.
  case anyNumber
}

/// Holds a path against a pattern.
struct PatternMatch {
  private let pattern: [PatternSegment]
  private let path: [PathElement]
  private let globMinimum: Int
  /// Places, pattern by path, from which there is no match.
  private var dead: Set<Int> = []
  private var captures: [RulesValue?] = []

  /// The values of the captures in order, `nil` for what the path leaves open; `nil` if the path does not match.
  static func captures(
    _ pattern: [PatternSegment], _ path: [PathElement], version: Int
  ) -> [RulesValue?]? {
    // Most blocks fail at a word of their own, before any capture is made.
    for (segment, element) in zip(pattern, path) {
      guard case .text(let expected) = segment.kind else {
        if case .glob = segment.kind { break }
        continue
      }
      guard case .text(let text) = element, text.utf8.elementsEqual(expected.utf8) else {
        return nil
      }
    }
    var match = PatternMatch(pattern: pattern, path: path, globMinimum: version == 1 ? 1 : 0)
    return match.matches(0, 0) ? match.captures : nil
  }

  private init(pattern: [PatternSegment], path: [PathElement], globMinimum: Int) {
    self.pattern = pattern
    self.path = path
    self.globMinimum = globMinimum
  }

  /// Goes down once a segment of the pattern, of which there are a hundred at most.
  private mutating func matches(_ segment: Int, _ element: Int) -> Bool {
    guard segment < pattern.count else { return element == path.count }
    let place = segment * (path.count + 1) + element
    guard !dead.contains(place) else { return false }
    let count = captures.count
    if extends(segment, element) { return true }
    captures.removeLast(captures.count - count)
    dead.insert(place)
    return false
  }

  private mutating func extends(_ segment: Int, _ element: Int) -> Bool {
    switch pattern[segment].kind {
    case .text(let expected):
      guard element < path.count, case .text(let text) = path[element],
        text.utf8.elementsEqual(expected.utf8)
      else { return false }
      return matches(segment + 1, element + 1)
    case .capture:
      guard element < path.count else { return false }
      switch path[element] {
      case .text(let text): captures.append(.string(text))
      case .anyOne: captures.append(nil)
      case .anyNumber: return false
      }
      return matches(segment + 1, element + 1)
    case .glob:
      let count = captures.count
      for end in stride(from: element + globMinimum, through: path.count, by: 1) {
        captures.removeLast(captures.count - count)
        captures.append(Self.value(path[element..<end]))
        if matches(segment + 1, end) { return true }
      }
      return false
    }
  }

  /// The segments that are known.
  private static func value(_ elements: ArraySlice<PathElement>) -> RulesValue? {
    var texts: [String] = []
    for element in elements {
      switch element {
      case .text(let text): texts.append(text)
      case .anyOne: continue
      case .anyNumber: return nil
      }
    }
    return .path(RulesPath(texts))
  }
}
