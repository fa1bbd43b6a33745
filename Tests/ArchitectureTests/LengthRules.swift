/// Rules about the length of files and functions.
enum LengthRules {
  static let sourceLines = 600
  static let testLines = 1000
  static let functionLines = 60

  static func fileLength(_ file: SourceFile) -> [Violation] {
    let limit = file.isTest ? testLines : sourceLines
    let count = file.lines.last == "" ? file.lines.count - 1 : file.lines.count
    guard !file.isGenerated, count > limit else { return [] }
    return [file.violation(limit, "\(count) lines, at most \(limit) are allowed")]
  }

  static func functionLength(_ file: SourceFile) -> [Violation] {
    guard !file.isGenerated else { return [] }
    return functions(in: file).filter { $0.lines > functionLines }.map {
      file.violation($0.line, "a function of \($0.lines) lines, at most \(functionLines)")
    }
  }

  /// Functions, initialisers and subscripts with a body: the line of their keyword and the lines up to their end.
  static func functions(in file: SourceFile) -> [(line: Int, lines: Int)] {
    let text = Array(file.code.joined(separator: "\n").utf8)
    var result: [(Int, Int)] = []
    var line = 0
    for position in text.indices {
      if text[position] == UInt8(ascii: "\n") { line += 1 }
      guard initials.contains(text[position]), startsDeclaration(text, position),
        let body = bodyStart(text, position),
        let end = closing(text, body)
      else { continue }
      result.append((line, text[position...end].count { $0 == UInt8(ascii: "\n") } + 1))
    }
    return result
  }

  private static let keywords = ["func ", "init(", "init?(", "init<", "deinit ", "subscript("]
    .map { Array($0.utf8) }

  private static let initials = Set(keywords.map { $0[0] })

  private static func startsDeclaration(_ text: [UInt8], _ position: Int) -> Bool {
    if position > 0 {
      let before = text[position - 1]
      guard before == UInt8(ascii: " ") || before == UInt8(ascii: "\n") else { return false }
    }
    return keywords.contains { text[position...].starts(with: $0) }
  }

  /// Where the body opens; `nil` for a requirement of a protocol and for a call.
  private static func bodyStart(_ text: [UInt8], _ start: Int) -> Int? {
    var depth = 0
    var position = start
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "{") where depth == 0: return position
      case UInt8(ascii: "}") where depth == 0: return nil
      case UInt8(ascii: "\n") where depth == 0 && !continues(text, start, position): return nil
      default: break
      }
      if depth < 0 { return nil }
      position += 1
    }
    return nil
  }

  /// Whether a signature that breaks at `newline` goes on in the next line.
  private static func continues(_ text: [UInt8], _ start: Int, _ newline: Int) -> Bool {
    let before = text[start..<newline].last { $0 != UInt8(ascii: " ") }
    if before == UInt8(ascii: ",") || before == UInt8(ascii: ">") { return true }
    let next = text[newline...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
    return ["->", "{", "where ", "async", "throws", "rethrows"].contains {
      next.starts(with: Array($0.utf8))
    }
  }

  private static func closing(_ text: [UInt8], _ open: Int) -> Int? {
    var depth = 0
    for position in text[open...].indices {
      if text[position] == UInt8(ascii: "{") { depth += 1 }
      if text[position] == UInt8(ascii: "}") { depth -= 1 }
      if depth == 0 { return position }
    }
    return nil
  }
}
