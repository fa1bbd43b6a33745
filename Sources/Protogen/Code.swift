/// Lines of Swift with their indentation.
struct Code {
  private(set) var text = ""
  private var indentation = 0

  mutating func line(_ line: String = "") {
    if !line.isEmpty { text += String(repeating: "  ", count: indentation) + line }
    text += "\n"
  }

  /// `head`, and in braces what `body` writes.
  mutating func block(_ head: String, _ body: (inout Code) -> Void) {
    line(head + " {")
    indentation += 1
    body(&self)
    indentation -= 1
    let spaces = head.prefix { $0 == " " }
    line(spaces + "}")
  }
}
