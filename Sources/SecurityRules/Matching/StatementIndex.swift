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
    /// Whether it speaks of `resource`.
    let readsResource: Bool

    init(_ statement: AllowStatement, in block: Int, readsResource: Bool) {
      self.block = block
      self.statement = statement
      self.readsResource = readsResource
      methods = MethodSet(statement.methods.map(\.text))
    }
  }

  private(set) var blocks: [Block] = []
  private(set) var statements: [Statement] = []

  /// Of no service: nothing is allowed.
  init() {}

  init(_ service: Service, of program: Program) {
    var readers = ResourceReaders(program)
    for match in service.matches { add(match, behind: [], &readers) }
  }

  /// Goes down as deep as blocks lie in one another, which the checker bounds.
  private mutating func add(
    _ match: MatchBlock, behind outer: [PatternSegment], _ readers: inout ResourceReaders
  ) {
    let block = blocks.count
    blocks.append(Block(outer + match.pattern))
    for item in match.items {
      switch item {
      case .allow(let statement):
        let reads = statement.condition.map { readers.reads($0) } ?? false
        statements.append(Statement(statement, in: block, readsResource: reads))
      case .match(let inner): add(inner, behind: outer + match.pattern, &readers)
      }
    }
  }
}

/// Finds out which expressions speak of `resource`, themselves or in the functions that they call.
private struct ResourceReaders {
  private let program: Program
  /// By function; one that is being looked at is taken for none.
  private var functions: [FunctionID: Bool] = [:]

  init(_ program: Program) {
    self.program = program
  }

  /// Goes down as deep as expressions and calls lie in one another, which the checker bounds.
  mutating func reads(_ expression: ExpressionID) -> Bool {
    switch program.resolutions[expression] {
    case .resource: return true
    case .function(let function):
      if calls(function) { return true }
    case .none, .undefined, .request, .capture, .parameter, .binding, .builtin, .methods: break
    }
    for child in program.expressions[expression].children where reads(child) { return true }
    return false
  }

  private mutating func calls(_ function: FunctionID) -> Bool {
    if let known = functions[function] { return known }
    functions[function] = false
    let declaration = program.functions[function]
    var result = reads(declaration.result)
    for binding in declaration.bindings where !result { result = reads(binding.value) }
    functions[function] = result
    return result
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
    _ block: StatementIndex.Block, _ path: [PathElement], version: Int
  ) -> [RulesValue?]? {
    let pattern = block.pattern
    let hasGap = path.contains { if case .anyNumber = $0 { true } else { false } }
    if let length = block.length, !hasGap {
      return length == path.count ? captures(block, path) : nil
    }
    // Most blocks fail at a word of their own, before any capture is made.
    for (segment, element) in zip(pattern, path) {
      guard case .text(let expected) = segment.kind else {
        if case .glob = segment.kind { break }
        continue
      }
      guard case .text(let text) = element, text.hasBytes(of: expected) else {
        return nil
      }
    }
    var match = PatternMatch(pattern: pattern, path: path, globMinimum: version == 1 ? 1 : 0)
    return match.matches(0, 0) ? match.captures : nil
  }

  /// Where each segment of the pattern stands for one of the path.
  private static func captures(
    _ block: StatementIndex.Block, _ path: [PathElement]
  ) -> [RulesValue?]? {
    for word in block.words {
      guard case .text(let text) = path[word.place], text.hasBytes(of: word.text) else {
        return nil
      }
    }
    return block.captures.map { place in
      if case .text(let text) = path[place] { .string(text) } else { nil }
    }
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
        text.hasBytes(of: expected)
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
