/// Cuts the source into tokens. Never fails: what is no token becomes an invalid one.
struct Lexer {
  private let source: [Unicode.Scalar]
  private var offset = 0
  private var line = 1
  private var lineStart = 0
  private var tokens: [Token] = []
  /// Whether a `*/` may still follow: looked for once, however many comments begin.
  private var hasCommentEnds = true

  /// The tokens of `text`, the end of the file last.
  static func tokens(of text: String) -> [Token] {
    var lexer = Lexer(source: Array(text.unicodeScalars))
    lexer.run()
    return lexer.tokens
  }

  private init(source: [Unicode.Scalar]) {
    self.source = source
  }

  private mutating func run() {
    while skipBlanks() {
      let start = offset
      let character = source[offset]
      if character.isWordStart {
        word(start)
      } else if character.isDigit || character == "." && peek(1)?.isDigit == true {
        number(start)
      } else if character == "\"" || character == "'" {
        string(start)
      } else if character == "/", let end = pathSegmentEnd {
        pathSegment(start, end)
      } else {
        symbol(start)
      }
    }
    tokens.append(
      Token(
        kind: .end, text: "",
        range: SourceRange(
          offset: offset, endOffset: offset - 1, line: line, column: offset - lineStart + 1)))
  }

  private func peek(_ distance: Int) -> Unicode.Scalar? {
    offset + distance < source.count ? source[offset + distance] : nil
  }

  private func text(_ range: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: source[range])
    return String(text)
  }

  /// The range from `start` to before the current position, all on one line.
  private func range(from start: Int) -> SourceRange {
    SourceRange(offset: start, endOffset: offset - 1, line: line, column: start - lineStart + 1)
  }

  private mutating func append(_ kind: Token.Kind, from start: Int) {
    tokens.append(Token(kind: kind, text: text(start..<offset), range: range(from: start)))
  }

  private mutating func appendInvalid(_ message: String, from start: Int) {
    var token = Token(kind: .invalid, text: text(start..<offset), range: range(from: start))
    token.message = message
    tokens.append(token)
  }
}

// MARK: - Blanks

extension Lexer {
  /// Moves over blanks and comments; `false` at the end.
  private mutating func skipBlanks() -> Bool {
    while let character = peek(0) {
      switch character {
      case "\n":
        offset += 1
        line += 1
        lineStart = offset
      case " ", "\t", "\r":
        offset += 1
      case "/":
        guard skipComment() else { return true }
      default:
        return true
      }
    }
    return false
  }

  /// Moves over a comment; a `/*` that nothing closes is none.
  private mutating func skipComment() -> Bool {
    if peek(1) == "/" {
      while let character = peek(0), character != "\n" {
        _ = character
        offset += 1
      }
      return true
    }
    guard peek(1) == "*", let end = commentEnd(from: offset + 2) else { return false }
    while offset < end {
      if source[offset] == "\n" {
        line += 1
        lineStart = offset + 1
      }
      offset += 1
    }
    return true
  }

  private mutating func commentEnd(from start: Int) -> Int? {
    guard hasCommentEnds else { return nil }
    var index = start
    while index + 1 < source.count {
      if source[index] == "*", source[index + 1] == "/" { return index + 2 }
      index += 1
    }
    hasCommentEnds = false
    return nil
  }
}

// MARK: - Words and numbers

extension Lexer {
  private mutating func word(_ start: Int) {
    if let quote = peek(1), source[offset] == "b" || source[offset] == "B",
      quote == "'" || quote == "\""
    {
      offset += 1
      string(start)
      return
    }
    while let character = peek(0), character.isWordStart || character.isDigit { offset += 1 }
    append(.identifier, from: start)
  }

  private mutating func number(_ start: Int) {
    while peek(0)?.isDigit == true { offset += 1 }
    if peek(0) == "." {
      offset += 1
      while peek(0)?.isDigit == true { offset += 1 }
      append(.float, from: start)
      return
    }
    // No leading zeros: 017 is 0 and then 17. All at once, so that no digit is read again.
    let end = offset
    var start = start
    while source[start] == "0", start + 1 < end {
      offset = start + 1
      append(.integer, from: start)
      start += 1
    }
    offset = end
    append(.integer, from: start)
  }
}

// MARK: - Paths and symbols

extension Lexer {
  /// The end of the path segment that begins here; `nil` if the slash is a slash.
  private var pathSegmentEnd: Int? {
    let isWrapped = peek(1) == "("
    var index = offset + (isWrapped ? 2 : 1)
    let start = index
    while index < source.count {
      if source[index] == "%" {
        guard index + 2 < source.count, source[index + 1].isHexadecimal,
          source[index + 2].isHexadecimal
        else { break }
        index += 3
      } else if source[index].isSegmentCharacter {
        index += 1
      } else {
        break
      }
    }
    guard index > start else { return nil }
    guard isWrapped else { return index }
    return index < source.count && source[index] == ")" ? index + 1 : nil
  }

  private mutating func pathSegment(_ start: Int, _ end: Int) {
    offset = end
    tokens.append(
      Token(kind: .pathSegment, text: text(start + 1..<end), range: range(from: start)))
  }

  private static let pairs: Set<String> = ["**", "&&", "||", "==", "!=", "<=", ">=", "++", "--"]
  private static let singles: Set<Unicode.Scalar> = [
    "{", "}", "(", ")", "[", "]", ":", ";", ",", ".", "?", "=", "<", ">", "+", "-", "*", "/", "%",
    "!",
  ]

  private mutating func symbol(_ start: Int) {
    if start + 1 < source.count, Self.pairs.contains(text(start..<start + 2)) {
      offset += 2
      append(.symbol, from: start)
      return
    }
    offset += 1
    if Self.singles.contains(source[start]) {
      append(.symbol, from: start)
    } else {
      let shown =
        source[start] == "\u{feff}" ? "\\ufeff" : text(start..<offset)
      appendInvalid("token recognition error at: '\(shown)'", from: start)
    }
  }
}

// MARK: - Strings

extension Lexer {
  /// A string, or a bytes literal if `start` is the letter in front of it.
  private mutating func string(_ start: Int) {
    let isBytes = start < offset
    let quote = source[offset]
    offset += 1
    var units: [UInt16] = []
    var bytes: [UInt8]? = []
    while let character = peek(0), character != quote, character != "\n", character != "\r" {
      guard character == "\\" else {
        units += Array(String(character).utf16)
        bytes?.append(contentsOf: String(character).utf8)
        offset += 1
        continue
      }
      guard let (unit, isByte) = escape() else {
        brokenEscape(quote)
        return
      }
      units.append(unit)
      if isByte { bytes?.append(UInt8(truncatingIfNeeded: unit)) } else { bytes = nil }
    }
    guard peek(0) == quote else {
      appendInvalid("Missing a closing \(quote)", from: start)
      return
    }
    offset += 1
    var token = Token(
      kind: isBytes ? .bytes : .string, text: text(start..<offset), range: range(from: start))
    token.value = String(decoding: units, as: UTF16.self)
    token.bytes = bytes
    tokens.append(token)
  }

  /// Reads an escape; moves nothing if it is none.
  private mutating func escape() -> (unit: UInt16, isByte: Bool)? {
    guard let letter = peek(1) else { return nil }
    let simple: UInt16? =
      switch letter {
      case "n": 10
      case "t": 9
      case "r": 13
      case "b": 8
      case "f": 12
      case "\"", "'", "\\": UInt16(letter.value)
      default: nil
      }
    if let simple {
      offset += 2
      return (simple, true)
    }
    let (digits, radix): (Range<Int>, UInt32) =
      switch letter {
      case "x": (2..<4, 16)
      case "u": (2..<6, 16)
      default: (1..<4, 8)
      }
    var value: UInt32 = 0
    for distance in digits {
      guard let digit = peek(distance)?.digitValue, digit < radix else { return nil }
      value = value * radix + digit
    }
    guard letter == "u" || value < 256 else { return nil }
    offset += digits.upperBound
    return (UInt16(value), letter != "u")
  }

  /// An escape that does not exist breaks the string: its rest is passed over, up to the closing quote.
  private mutating func brokenEscape(_ quote: Unicode.Scalar) {
    offset += 1
    let start = offset
    if offset < source.count, source[offset] != "\n" { offset += 1 }
    appendInvalid("Unexpected '\(text(start..<offset))'.", from: start)
    while let character = peek(0), character != quote, character != "\n" {
      offset += character == "\\" && peek(1) != nil && peek(1) != "\n" ? 2 : 1
    }
    if peek(0) == quote { offset += 1 }
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { "0"..."9" ~= self }

  fileprivate var isWordStart: Bool {
    "a"..."z" ~= self || "A"..."Z" ~= self || self == "_" || self == "$"
  }

  fileprivate var digitValue: UInt32? {
    switch self {
    case "0"..."9": value - 48
    case "a"..."f": value - 87
    case "A"..."F": value - 55
    default: nil
    }
  }

  fileprivate var isHexadecimal: Bool { digitValue != nil }

  fileprivate var isSegmentCharacter: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".", "~", ":", "@", "+", "*", "&", "'": true
    default: false
    }
  }
}
