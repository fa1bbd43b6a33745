internal import Coding

/// A path: segments of text, or captures that are still to be bound.
package struct RulesPath: Sendable {
  package enum Segment: Sendable {
    case text(String)
    /// `{name}`: one segment. In a box, as captures are few: a segment is as small as its text.
    indirect case capture(name: String, value: String?)
    /// `{name=**}`: any number of segments.
    indirect case glob(name: String, value: [String]?)

    /// One segment that could be any: the documents of a query.
    static let anyOne = Segment.capture(name: "", value: nil)
    /// Any number of segments: the parents of a query over a collection group.
    static let anyNumber = Segment.glob(name: "", value: nil)
  }

  package var segments: [Segment]

  package init(segments: [Segment]) {
    self.segments = segments
  }

  package init(_ texts: some Sequence<String>) {
    segments = texts.map { .text($0) }
  }

  /// The texts of the segments, bound captures among them; `nil` if one is unbound.
  package var texts: [String]? {
    var texts: [String] = []
    texts.reserveCapacity(segments.count)
    for segment in flattened {
      guard case .text(let text) = segment else { return nil }
      texts.append(text)
    }
    return texts
  }

  /// The text of a segment; `nil` for a capture, and where there is none.
  package func text(at place: Int) -> String? {
    guard place < segments.count, case .text(let text) = segments[place] else { return nil }
    return text
  }

  /// The first capture that is not bound.
  var unboundName: String? {
    for segment in segments {
      switch segment {
      case .text, .capture(_, .some), .glob(_, .some): continue
      case .capture(let name, nil), .glob(let name, nil): return name
      }
    }
    return nil
  }

  /// The segments, a bound glob as the several that it stands for.
  var flattened: [Segment] {
    guard segments.contains(where: \.isBound) else { return segments }
    return segments.flatMap { segment -> [Segment] in
      switch segment {
      case .text, .capture(_, nil), .glob(_, nil): [segment]
      case .capture(_, let value?): [.text(value)]
      case .glob(_, let values?): values.map { .text($0) }
      }
    }
  }

  /// `/a/b`; a capture as it is written.
  package var description: String {
    flattened.map { segment in
      switch segment {
      case .text(let text): "/" + text
      case .capture(let name, _): "/{\(name)}"
      case .glob(let name, _): "/{\(name)=**}"
      }
    }.joined()
  }

  /// The value of a capture, bound or not; `nil` if there is none of this name.
  func capture(named name: String) -> RulesValue?? {
    for segment in segments {
      switch segment {
      case .text: continue
      case .capture(name, let value): return .some(value.map { .string($0) })
      case .glob(name, let value): return .some(value.map { .path(RulesPath($0)) })
      case .capture, .glob: continue
      }
    }
    return nil
  }
}

extension RulesPath: Equatable {
  package static func == (left: Self, right: Self) -> Bool {
    guard left.segments.count == right.segments.count else {
      return isSame(left.flattened, right.flattened)
    }
    // Most are all text; they differ near the end, if they do.
    for place in left.segments.indices.reversed() {
      guard case .text(let first) = left.segments[place],
        case .text(let second) = right.segments[place]
      else { return isSame(left.flattened, right.flattened) }
      guard first.hasBytes(of: second) else { return false }
    }
    return true
  }

  private static func isSame(_ left: [Segment], _ right: [Segment]) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
  }
}

extension RulesPath.Segment {
  /// Whether it is a capture with a value.
  fileprivate var isBound: Bool {
    switch self {
    case .capture(_, .some), .glob(_, .some): true
    case .text, .capture(_, nil), .glob(_, nil): false
    }
  }

  fileprivate func isSame(as other: Self) -> Bool {
    switch (self, other) {
    case (.text(let first), .text(let second)): first.hasBytes(of: second)
    case (.capture(let first, _), .capture(let second, _)): first == second
    case (.glob(let first, _), .glob(let second, _)): first == second
    case (.text, _), (.capture, _), (.glob, _): false
    }
  }
}

// MARK: - Text

extension RulesPath {
  /// What is wrong with the text of a path.
  enum TextError: Error {
    case empty
    case emptySegment
  }

  /// Reads the argument of `path()`: a slash in front may be left out, `{x}` and `{x=**}` are captures.
  init(parsing text: String) throws(TextError) {
    var rest = text[...]
    if rest.utf8.first == UInt8(ascii: "/") { rest = rest.dropFirst() }
    guard !rest.isEmpty else { throw .empty }
    var segments: [Segment] = []
    for part in rest.split(separator: "/", omittingEmptySubsequences: false) {
      guard !part.isEmpty else { throw .emptySegment }
      segments.append(Self.segment(part))
    }
    self.segments = segments
  }

  private static func segment(_ text: Substring) -> Segment {
    guard text.hasPrefix("{"), text.hasSuffix("}"), text.utf8.count > 2 else {
      return .text(decoded(text))
    }
    let inside = text.dropFirst().dropLast()
    if inside.hasSuffix("=**") { return .glob(name: String(inside.dropLast(3)), value: nil) }
    let name = inside.hasSuffix("=*") ? inside.dropLast(2) : inside
    return .capture(name: String(name), value: nil)
  }

  /// A segment without its escapes: `%2F` is a slash, `+` a blank.
  static func decoded(_ text: some StringProtocol) -> String {
    let text = String(text)
    var bytes: [UInt8] = []
    guard PercentCoding.decodeForm(text.utf8.span, into: &bytes) else { return text }
    return String(utf8: bytes.span) ?? text
  }
}
