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
  /// The index of the piece that takes any number of segments; behind the others if there is none.
  private let anyPiece: Int
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
    self.anyPiece =
      pieces.firstIndex { if case .any = $0 { true } else { false } } ?? pieces.count
    self.variables = variables
  }

  /// The decoded segments of each variable if the path fits; `segments` is without the verb.
  func match(_ segments: [String]) -> [Binding]? {
    guard let free = fit(segments) else { return nil }
    func position(of piece: Int) -> Int { piece + (piece > anyPiece ? free - 1 : 0) }
    return variables.map { variable in
      Binding(
        name: variable.name,
        segments: segments[
          position(of: variable.pieces.lowerBound)..<position(of: variable.pieces.upperBound)])
    }
  }

  /// How many segments are for the piece that takes any number, 1 where there is none; `nil` if the path does not fit.
  private func fit(_ segments: [String]) -> Int? {
    let free = segments.count - pieces.count + 1
    guard anyPiece < pieces.count ? free >= 0 : free == 1 else { return nil }
    for (index, piece) in pieces.enumerated() {
      guard case .literal(let literal) = piece else { continue }
      guard segments[index + (index > anyPiece ? free - 1 : 0)] == literal else { return nil }
    }
    return free
  }
}
