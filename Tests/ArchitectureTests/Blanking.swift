/// Blanks comments and string literals of Swift text, so that rules look at code only.
struct Blanking {
  private let text: [Character]
  private var position = 0
  private var result: [Character] = []

  /// The text with every character of a comment or literal replaced by a blank; lines stay where they are.
  static func code(of text: String) -> String {
    var blanking = Blanking(text: Array(text))
    blanking.result.reserveCapacity(blanking.text.count)
    blanking.blankUntilEnd()
    return String(blanking.result)
  }

  private init(text: [Character]) { self.text = text }

  private func sees(_ word: String) -> Bool {
    text[position...].starts(with: word)
  }

  private mutating func keep() {
    result.append(text[position])
    position += 1
  }

  private mutating func blank(_ count: Int = 1) {
    for _ in 0..<count where position < text.count {
      result.append(text[position].isNewline ? text[position] : " ")
      position += 1
    }
  }

  private mutating func blankUntilEnd() {
    while position < text.count {
      switch text[position] {
      case "/" where sees("//"):
        while position < text.count, !text[position].isNewline { blank() }
      case "/" where sees("/*"): blankComment()
      case "\"": blankLiteral(pounds: 0)
      case "#":
        var pounds = 0
        while position + pounds < text.count, text[position + pounds] == "#" { pounds += 1 }
        if position + pounds < text.count, text[position + pounds] == "\"" {
          blank(pounds)
          blankLiteral(pounds: pounds)
        } else {
          keep()
        }
      default: keep()
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

  private mutating func blankLiteral(pounds: Int) {
    let quotes = sees("\"\"\"") ? "\"\"\"" : "\""
    let end = quotes + String(repeating: "#", count: pounds)
    let escape = "\\" + String(repeating: "#", count: pounds)
    blank(quotes.count)
    while position < text.count, !sees(end) {
      if sees(escape + "(") {
        blank(escape.count)
        blankInterpolation()
      } else if sees(escape) {
        blank(escape.count + 1)
      } else {
        blank()
      }
    }
    blank(end.count)
  }

  private mutating func blankInterpolation() {
    var depth = 0
    repeat {
      switch text[position] {
      case "(": depth += 1
      case ")": depth -= 1
      case "\"":
        blankLiteral(pounds: 0)
        continue
      default: break
      }
      blank()
    } while depth > 0 && position < text.count
  }
}
