/// Blanks comments and string literals of Swift text, so that rules look at code only.
struct Blanking {
  private let text: [UInt8]
  private var position = 0
  private var result: [UInt8]

  /// The text with every byte of a comment or literal replaced by a blank; lines stay where they are.
  static func code(of text: [UInt8]) -> [UInt8] {
    var blanking = Blanking(text: text)
    blanking.blankUntilEnd()
    return blanking.result
  }

  private init(text: [UInt8]) {
    self.text = text
    result = text
  }

  private func sees(_ word: StaticString) -> Bool {
    guard position + word.utf8CodeUnitCount <= text.count else { return false }
    for offset in 0..<word.utf8CodeUnitCount
    where unsafe text[position + offset] != word.utf8Start[offset] {
      return false
    }
    return true
  }

  private mutating func blank(_ count: Int = 1) {
    for _ in 0..<count where position < text.count {
      if text[position] != UInt8(ascii: "\n") { result[position] = UInt8(ascii: " ") }
      position += 1
    }
  }

  private mutating func blankUntilEnd() {
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: "/") where sees("//"):
        while position < text.count, text[position] != UInt8(ascii: "\n") { blank() }
      case UInt8(ascii: "/") where sees("/*"): blankComment()
      case UInt8(ascii: "\""): blankLiteral(pounds: 0)
      case UInt8(ascii: "#"):
        let pounds = text[position...].prefix { $0 == UInt8(ascii: "#") }.count
        if position + pounds < text.count, text[position + pounds] == UInt8(ascii: "\"") {
          blank(pounds)
          blankLiteral(pounds: pounds)
        } else {
          position += 1
        }
      default: position += 1
      }
    }
  }

  private mutating func blankComment() {
    var depth = 0
    repeat {
      if sees("/*") {
        depth += 1
        blank(2)
      } else if sees("*/") {
        depth -= 1
        blank(2)
      } else {
        blank()
      }
    } while depth > 0 && position < text.count
  }

  private func pounds(at start: Int) -> Int {
    start < text.count ? text[start...].prefix { $0 == UInt8(ascii: "#") }.count : 0
  }

  private mutating func blankLiteral(pounds count: Int) {
    let quotes = sees("\"\"\"") ? 3 : 1
    blank(quotes)
    while position < text.count {
      if text[position] == UInt8(ascii: "\""), quotes == 1 || sees("\"\"\""),
        pounds(at: position + quotes) >= count
      {
        blank(quotes + count)
        return
      }
      if text[position] == UInt8(ascii: "\\"), pounds(at: position + 1) >= count {
        blank(1 + count)
        if position < text.count, text[position] == UInt8(ascii: "(") {
          blankInterpolation()
        } else {
          blank()
        }
      } else {
        blank()
      }
    }
  }

  private mutating func blankInterpolation() {
    var depth = 0
    repeat {
      switch text[position] {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: "\""):
        blankLiteral(pounds: 0)
        continue
      default: break
      }
      blank()
    } while depth > 0 && position < text.count
  }
}
