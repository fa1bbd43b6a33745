internal import Coding

/// The statements of a service in the order of the source, each with the whole pattern of its block.
struct StatementIndex: Sendable {
  final class Block: Sendable {
    /// The patterns of the enclosing blocks and its own, joined.
    let pattern: [PatternSegment]
    /// How many segments a path has to have; `nil` if it can have different numbers of them.
    let length: Int?
    /// The words of the pattern, of which the last tells most about a path, and the places of its captures.
    let words: [(place: Int, text: String)]
    let captures: [Int]

    init(_ pattern: [PatternSegment]) {
      self.pattern = pattern
      var words: [(place: Int, text: String)] = []
      var captures: [Int] = []
      var hasGlob = false
      for (place, segment) in pattern.enumerated() {
        switch segment.kind {
        case .text(let text): words.append((place, text))
        case .capture: captures.append(place)
        case .glob: hasGlob = true
        }
      }
      length = hasGlob ? nil : pattern.count
      self.words = words.reversed()
      self.captures = captures
    }
  }

  final class Statement: Sendable {
    let block: Int
    let methods: MethodSet
    let statement: AllowStatement

    init(_ statement: AllowStatement, in block: Int) {
      self.block = block
      self.statement = statement
      methods = MethodSet(statement.methods.map(\.text))
    }
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
    blocks.append(Block(outer + match.pattern))
    for item in match.items {
      switch item {
      case .allow(let statement): statements.append(Statement(statement, in: block))
      case .match(let inner): add(inner, behind: outer + match.pattern)
      }
    }
  }
}

/// What the captures of a block stand for in one path, counted from the outermost.
enum Captures: Sendable {
  case values([RulesValue?])
  /// Each stands for the one segment at its place.
  case places([Int], in: RulesPath)

  /// `nil` for what the path leaves open, and where there is none.
  subscript(index: Int) -> RulesValue? {
    switch self {
    case .values(let values): index < values.count ? values[index] : nil
    case .places(let places, let path):
      index < places.count ? path.text(at: places[index]).map { .string($0) } : nil
    }
  }
}

/// Holds a path against a pattern. In the path captures stand for what could be anything: of one segment the documents of a query,
/// of any number of them the parents of a query over a collection group.
struct PatternMatch {
  private let pattern: [PatternSegment]
  private let path: [RulesPath.Segment]
  private let globMinimum: Int
  /// Places, pattern by path, from which there is no match.
  private var dead: Set<Int> = []
  private var captures: [RulesValue?] = []

  /// Whether a part of the path stands for any number of segments.
  static func hasGap(_ path: RulesPath) -> Bool {
    path.segments.contains { if case .glob = $0 { true } else { false } }
  }

  /// What the captures stand for; `nil` if the path does not match.
  static func captures(
    _ block: StatementIndex.Block, _ path: RulesPath, hasGap: Bool, version: Int
  ) -> Captures? {
    let segments = path.segments
    if let length = block.length, !hasGap {
      guard length == segments.count, matches(block.words, path) else { return nil }
      return .places(block.captures, in: path)
    }
    // Most blocks fail at a word of their own, before any capture is made.
    for (place, segment) in block.pattern.enumerated() where place < segments.count {
      guard case .text(let expected) = segment.kind else {
        if segment.isGlob { break }
        continue
      }
      guard path.text(at: place)?.hasBytes(of: expected) == true else { return nil }
    }
    var match = PatternMatch(
      pattern: block.pattern, path: segments, globMinimum: version == 1 ? 1 : 0)
    return match.matches(0, 0) ? .values(match.captures) : nil
  }

  private static func matches(_ words: [(place: Int, text: String)], _ path: RulesPath) -> Bool {
    for word in words where path.text(at: word.place)?.hasBytes(of: word.text) != true {
      return false
    }
    return true
  }

  private init(pattern: [PatternSegment], path: [RulesPath.Segment], globMinimum: Int) {
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
        text.hasBytes(of: expected)
      else { return false }
      return matches(segment + 1, element + 1)
    case .capture:
      guard element < path.count else { return false }
      switch path[element] {
      case .text(let text): captures.append(.string(text))
      case .capture: captures.append(nil)
      case .glob: return false
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
  private static func value(_ elements: ArraySlice<RulesPath.Segment>) -> RulesValue? {
    var texts: [String] = []
    for element in elements {
      switch element {
      case .text(let text): texts.append(text)
      case .capture: continue
      case .glob: return nil
      }
    }
    return .path(RulesPath(texts))
  }
}
