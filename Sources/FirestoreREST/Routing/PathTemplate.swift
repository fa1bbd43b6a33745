/// The path of an HTTP binding as `google.api.http` writes it, such as
/// `/v1/{parent=projects/*/databases/*/documents/*/**}:runQuery`.
struct PathTemplate: Sendable {
  /// Custom verb behind the last colon; `nil` for none.
  let verb: String?

  /// What a variable of the template stands for in a path.
  struct Binding {
    var name: String
    /// Decoded.
    var segments: ArraySlice<String>
  }

  private enum Piece: Sendable {
    case literal(String)
    /// `*`, exactly one segment, which may be empty: names are judged where they are read.
    case one
    /// `**`, any number of segments; at most one in a template.
    case any
  }

  private struct Variable: Sendable {
    var name: String
    /// Positions in `pieces`.
    var pieces: Range<Int>
  }

  private let pieces: [Piece]
  private let variables: [Variable]

  /// `text` comes from our own method table; one that is malformed is a programmer error.
  init(_ text: String) {
    var text = Substring(text)
    if let colon = text.lastIndex(of: ":"), !text[colon...].contains("/") {
      self.verb = String(text[text.index(after: colon)...])
      text = text[..<colon]
    } else {
      self.verb = nil
    }
    var pieces: [Piece] = []
    var variables: [Variable] = []
    var open: (name: String, start: Int)?
    for var part in text.dropFirst().split(separator: "/") {
      if part.hasPrefix("{") {
        let inner = part.dropFirst()
        let name = inner.prefix { $0 != "=" && $0 != "}" }
        open = (String(name), pieces.count)
        part = inner[name.endIndex...]
        part = part.hasPrefix("=") ? part.dropFirst() : "*" + part
      }
      let closes = part.hasSuffix("}")
      if closes { part = part.dropLast() }
      switch part {
      case "*": pieces.append(.one)
      case "**": pieces.append(.any)
      default: pieces.append(.literal(String(part)))
      }
      if closes, let variable = open {
        variables.append(Variable(name: variable.name, pieces: variable.start..<pieces.count))
        open = nil
      }
    }
    self.pieces = pieces
    self.variables = variables
  }

  /// The decoded segments of each variable if the path fits; `segments` is without the verb.
  func match(_ segments: [String]) -> [Binding]? {
    let free = segments.count - pieces.count + 1
    var starts: [Int] = []
    var position = 0
    for piece in pieces {
      starts.append(position)
      switch piece {
      case .any:
        guard free >= 0 else { return nil }
        position += free
      case .one:
        position += 1
      case .literal(let literal):
        guard position < segments.count, segments[position] == literal else { return nil }
        position += 1
      }
    }
    guard position == segments.count else { return nil }
    starts.append(position)
    return variables.map { variable in
      Binding(
        name: variable.name,
        segments: segments[starts[variable.pieces.lowerBound]..<starts[variable.pieces.upperBound]])
    }
  }
}
