/// JSON as it was written: members in order, numbers by their digits, strings by their bytes.
enum JSON: Sendable {
  case null
  case bool(Bool)
  /// The digits as they stand in the text.
  case number(String)
  case string(String)
  case array([JSON])
  case object([(key: String, value: JSON)])

  /// The member named `key`; `nil` in anything but an object that has it.
  subscript(_ key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
  }

  var string: String? { if case .string(let text) = self { text } else { nil } }
  var array: [JSON]? { if case .array(let items) = self { items } else { nil } }
  var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  var int: Int? { if case .number(let digits) = self { Int(digits) } else { nil } }
  var double: Double? { if case .number(let digits) = self { Double(digits) } else { nil } }
  var members: [(key: String, value: JSON)]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The value at a path of keys and indexes, such as `0.transaction`.
  func reach(_ path: String) -> JSON? {
    path.split(separator: ".").reduce(Optional(self)) { node, part in
      guard let items = node?.array else { return node?[String(part)] }
      return Int(part).flatMap { items.indices.contains($0) ? items[$0] : nil }
    }
  }

  /// Members in the order of the bytes of their keys.
  static func sorted(
    _ members: [(key: String, value: JSON)]
  ) -> [(key: String, value: JSON)] {
    members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}

extension JSON: Equatable {
  /// Numbers are equal by value, strings by bytes, objects whatever their order.
  static func == (a: JSON, b: JSON) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.number(let a), .number(let b)):
      a == b || (!(isInteger(a) && isInteger(b)) && Double(a) == Double(b))
    case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)):
      a.count == b.count
        && zip(sorted(a), sorted(b)).allSatisfy {
          $0.key.utf8.elementsEqual($1.key.utf8) && $0.value == $1.value
        }
    default: false
    }
  }

  static func isInteger(_ digits: String) -> Bool {
    digits.utf8.allSatisfy { $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }
  }
}

extension JSON {
  /// Compact text but for a blank after each comma and colon; only what must be is escaped.
  var text: String {
    var out: [UInt8] = []
    write(to: &out)
    return String(decoding: out, as: UTF8.self)
  }

  private func write(to out: inout [UInt8]) {
    switch self {
    case .null: out += "null".utf8
    case .bool(let value): out += (value ? "true" : "false").utf8
    case .number(let digits): out += digits.utf8
    case .string(let text):
      out.append(UInt8(ascii: "\""))
      out += JSON.escaped(text).utf8
      out.append(UInt8(ascii: "\""))
    case .array(let items):
      out.append(UInt8(ascii: "["))
      for (index, item) in items.enumerated() {
        if index > 0 { out += ", ".utf8 }
        item.write(to: &out)
      }
      out.append(UInt8(ascii: "]"))
    case .object(let members):
      out.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { out += ", ".utf8 }
        JSON.string(member.key).write(to: &out)
        out += ": ".utf8
        member.value.write(to: &out)
      }
      out.append(UInt8(ascii: "}"))
    }
  }

  /// The inside of a string literal.
  static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) else { return text }
    var out = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\r": out += "\\r"
      case "\t": out += "\\t"
      case "\u{8}": out += "\\b"
      case "\u{c}": out += "\\f"
      case ..<" ":
        let digits = String(scalar.value, radix: 16)
        out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }
}
