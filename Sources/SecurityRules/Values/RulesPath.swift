internal import Coding

/// A path: segments of text, or captures that are still to be bound.
package struct RulesPath: Sendable {
  package enum Segment: Sendable {
    case text(String)
    /// `{name}`: one segment.
    case capture(name: String, value: String?)
    /// `{name=**}`: any number of segments.
    case glob(name: String, value: [String]?)
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
    for segment in segments {
      switch segment {
      case .text(let text): texts.append(text)
      case .capture(_, let value?): texts.append(value)
      case .glob(_, let values?): texts += values
      case .capture(_, nil), .glob(_, nil): return nil
      }
    }
    return texts
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
    segments.flatMap { segment -> [Segment] in
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
    let left = left.flattened
    let right = right.flattened
    return left.count == right.count
      && zip(left, right).allSatisfy { pair in
        switch pair {
        case (.text(let first), .text(let second)): first.hasBytes(of: second)
        case (.capture(let first, _), .capture(let second, _)): first == second
        case (.glob(let first, _), .glob(let second, _)): first == second
        case (.text, _), (.capture, _), (.glob, _): false
        }
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
