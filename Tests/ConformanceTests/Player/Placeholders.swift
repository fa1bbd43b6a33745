/// Fills `{db}`, `{project}`, captured names and `{repeat:x:n}` into the texts of a case.
struct Placeholders {
  let project: String
  var captured: [String: String] = [:]

  var database: String { "projects/\(project)/databases/(default)" }

  /// Fills one text; what was captured is written as the place needs it.
  func fill(_ text: String, quoting quote: (String) -> String = { $0 }) -> [UInt8] {
    let bytes = Array(text.utf8)
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    var position = 0
    while let open = bytes[position...].firstIndex(of: UInt8(ascii: "{")) {
      out += bytes[position..<open]
      let close = bytes[open...].firstIndex(of: UInt8(ascii: "}")) ?? bytes.endIndex - 1
      let name = String(decoding: bytes[(open + 1)..<max(open + 1, close)], as: UTF8.self)
      if let value = value(of: name, quote) {
        out += value
        position = close + 1
      } else {
        out.append(bytes[open])
        position = open + 1
      }
    }
    return out + bytes[position...]
  }

  private func value(of name: String, _ quote: (String) -> String) -> [UInt8]? {
    switch name {
    case "db": return Array(database.utf8)
    case "project": return Array(project.utf8)
    default:
      if let value = captured[name] { return Array(quote(value).utf8) }
      guard let match = name.wholeMatch(of: /repeat:(.+):(\d+)/), match.1.unicodeScalars.count == 1,
        let count = Int(match.2)
      else { return nil }
      let character = Array(match.1.utf8)
      return (0..<count).flatMap { _ in character }
    }
  }

  /// Percent-encodes all but what may stand in a path.
  static func percentEncoded(_ text: String) -> String {
    text.utf8.map { byte -> String in
      let scalar = Unicode.Scalar(byte)
      let plain =
        byte < 0x80 && (scalar.properties.isAlphabetic || (0x30...0x39).contains(byte))
        || "_.-~/():@,".utf8.contains(byte)
      let digits = String(byte, radix: 16, uppercase: true)
      return plain ? String(scalar) : "%" + (digits.count == 1 ? "0" : "") + digits
    }.joined()
  }
}
