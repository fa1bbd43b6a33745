/// How a line is written.
package enum LogFormat: String, CaseIterable, Sendable {
  /// `TIME level message key=value`, values with spaces or controls in quotes.
  case text
  /// One JSON object a line with `time`, `level`, `message` and the fields.
  case json

  func line(
    time: String, level: LogLevel, message: String, fields: KeyValuePairs<LogKey, LogValue>
  ) -> String {
    switch self {
    case .text:
      var line = "\(time) \(level.rawValue) \(message)"
      for (key, value) in fields { line += " \(key.rawValue)=\(Self.text(value))" }
      return line + "\n"
    case .json:
      var line = "{\"time\":\(Self.quoted(time)),\"level\":\"\(level.rawValue)\""
      line += ",\"message\":\(Self.quoted(message))"
      for (key, value) in fields { line += ",\"\(key.rawValue)\":\(Self.json(value))" }
      return line + "}\n"
    }
  }

  private static func text(_ value: LogValue) -> String {
    switch value {
    case .string(let text):
      let isBare = !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x7f }
      return isBare ? text : quoted(text)
    case .int(let number): return String(number)
    case .bool(let flag): return String(flag)
    }
  }

  private static func json(_ value: LogValue) -> String {
    switch value {
    case .string(let text): quoted(text)
    case .int(let number): String(number)
    case .bool(let flag): String(flag)
    }
  }

  /// A JSON string; controls are escaped, so a line never breaks.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\u{0}"..<"\u{20}", "\u{7f}":
        let hex = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
