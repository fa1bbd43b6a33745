package import Coding

/// The way to a field: field names from the outside in, at least one.
package struct FieldPath: Hashable, Sendable {
  package let segments: [UTF8String]

  package init(segments: [UTF8String]) {
    precondition(!segments.isEmpty, "empty field path")
    self.segments = segments
  }

  /// The pseudo field that stands for the name of a document in queries.
  package static let documentName = FieldPath(segments: ["__name__"])

  package var isDocumentName: Bool { segments.count == 1 && segments[0] == "__name__" }

  /// Reads the form on the wire: names joined by dots, those that are no identifiers in backticks. `__name__` is let
  /// through, and `__type__` at the end of a path; other reserved names are not.
  ///
  /// - Throws: `INVALID_ARGUMENT`.
  package init(parsing text: String) throws(FirestoreError) {
    guard !text.utf8.isEmpty else { throw .invalidArgument("Invalid empty property path string.") }
    guard let segments = Self.split(text.utf8) else {
      throw .invalidArgument(
        "Invalid property path \"\(text)\". Unquoted property paths must match regex "
          + "([a-zA-Z_][a-zA-Z_0-9]*), and quoted property paths must match regex "
          + #"(`(?:[^`\\]|(?:\\.))+`)"#)
    }
    guard segments.reduce(0, { $0 + $1.count + 1 }) <= Limits.fieldPathBytes else {
      throw .invalidArgument("property path is longer than 1500 bytes.")
    }
    self.segments = segments
    guard !isDocumentName else { return }
    for (index, segment) in segments.enumerated() where ResourceID.isReserved(segment) {
      if index > 0, segment == "__type__" {
        if index == segments.count - 1 { continue }
        throw .invalidArgument("the name __type__ is reserved")
      }
      if segment == "__name__" { throw .invalidArgument("the name __key__ is reserved") }
      throw .invalidArgument("Invalid reserved name in field path \(segment)")
    }
  }

  /// The form on the wire.
  package var text: String {
    segments.map { Self.isIdentifier($0.utf8) ? $0.string : Self.quoted($0) }
      .joined(separator: ".")
  }

  /// The form in the texts of errors: names joined by dots, without quotes.
  package var plainText: String { segments.map(\.string).joined(separator: ".") }

  /// Whether `other` is this path or lies inside it.
  package func contains(_ other: FieldPath) -> Bool {
    segments.count <= other.segments.count && zip(segments, other.segments).allSatisfy(==)
  }

  /// Name by name in the order of bytes, a shorter prefix first.
  package static func compare(_ left: FieldPath, _ right: FieldPath) -> Ordering {
    Ordering(left.segments, right.segments) { Ordering($0.utf8, $1.utf8) }
  }

  private static func split(_ text: String.UTF8View) -> [UTF8String]? {
    var segments: [UTF8String] = []
    var rest = text[...]
    while true {
      guard let segment = rest.first == backtick ? readQuoted(&rest) : readPlain(&rest) else {
        return nil
      }
      segments.append(segment)
      guard let dot = rest.popFirst() else { return segments }
      guard dot == UInt8(ascii: ".") else { return nil }
    }
  }

  private static func readPlain(_ rest: inout Substring.UTF8View) -> UTF8String? {
    let name = rest.prefix { $0 != UInt8(ascii: ".") }
    guard isIdentifier(name) else { return nil }
    rest = rest[name.endIndex...]
    return UTF8String(String(Substring(name)))
  }

  /// Reads a name in backticks. A backtick that neither a dot nor the end follows belongs to the name: some clients
  /// forget to escape it.
  private static func readQuoted(_ rest: inout Substring.UTF8View) -> UTF8String? {
    rest = rest.dropFirst()
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\\"):
        guard let escaped = rest.popFirst() else { return nil }
        bytes.append(escaped)
      case backtick where rest.isEmpty || rest.first == UInt8(ascii: "."):
        return bytes.isEmpty ? nil : UTF8String(String(decoding: bytes, as: UTF8.self))
      default:
        bytes.append(byte)
      }
    }
    return nil
  }

  private static let backtick = UInt8(ascii: "`")

  private static func isIdentifier(_ name: some Collection<UInt8>) -> Bool {
    guard let first = name.first, !(0x30...0x39).contains(first) else { return false }
    return name.allSatisfy { byte in
      (0x61...0x7a).contains(byte) || (0x41...0x5a).contains(byte)
        || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
    }
  }

  private static func quoted(_ name: UTF8String) -> String {
    var bytes = [backtick]
    for byte in name.utf8 {
      if byte == backtick || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
      bytes.append(byte)
    }
    bytes.append(backtick)
    return String(decoding: bytes, as: UTF8.self)
  }
}
