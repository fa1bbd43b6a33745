internal import Coding

/// Which members of an answer a client wants: names with commas between, slashes to what is within, parentheses around several, `*`
/// for all.
struct FieldsMask: Hashable {
  private static let maximumDepth = 20

  /// What is wanted of each member; nothing below means all of it.
  private var members: [UTF8String: FieldsMask] = [:]

  private init() {}

  /// - Returns: `nil` for what is no mask.
  init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    guard let mask = Self.parse(&rest, depth: 0), rest.isEmpty else { return nil }
    self = mask
  }

  private static func parse(_ text: inout ArraySlice<UInt8>, depth: Int) -> FieldsMask? {
    guard depth < maximumDepth else { return nil }
    var mask = FieldsMask()
    repeat {
      guard mask.readPath(&text, depth: depth) else { return nil }
    } while take(",", &text)
    return mask
  }

  private static func take(_ character: Unicode.Scalar, _ text: inout ArraySlice<UInt8>) -> Bool {
    guard text.first == UInt8(ascii: character) else { return false }
    text = text.dropFirst()
    return true
  }

  private mutating func readPath(_ text: inout ArraySlice<UInt8>, depth: Int) -> Bool {
    let name = text.prefix { !Array("/(),".utf8).contains($0) }
    guard !name.isEmpty else { return false }
    text = text.dropFirst(name.count)
    var below = FieldsMask()
    if Self.take("/", &text) {
      guard depth < Self.maximumDepth, below.readPath(&text, depth: depth + 1) else { return false }
    } else if Self.take("(", &text) {
      guard let inner = Self.parse(&text, depth: depth + 1), Self.take(")", &text) else {
        return false
      }
      below = inner
    }
    let key = UTF8String(String(decoding: name, as: UTF8.self).trimmed)
    if let other = members[key] {
      members[key] =
        other.members.isEmpty || below.members.isEmpty ? FieldsMask() : other.merged(with: below)
    } else {
      members[key] = below
    }
    return true
  }

  private func merged(with other: FieldsMask) -> FieldsMask {
    var merged = self
    merged.members.merge(other.members) { $0.merged(with: $1) }
    return merged
  }

  /// What the mask leaves of a value.
  func applied(to value: JSONValue) -> JSONValue {
    guard !members.isEmpty else { return value }
    switch value {
    case .array(let elements): return .array(elements.map(applied))
    case .object(let all):
      var kept: [UTF8String: JSONValue] = [:]
      for (name, value) in all {
        if let mask = members[name] ?? members["*"] { kept[name] = mask.applied(to: value) }
      }
      return .object(kept)
    case .null, .bool, .number, .string: return value
    }
  }
}
