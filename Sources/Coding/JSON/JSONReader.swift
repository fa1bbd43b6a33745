/// Reads JSON (RFC 8259) front to back, as the caller asks for it.
///
/// Strict, but for two things: bare `NaN`, `Infinity` and `-Infinity` count as numbers, as protobuf's own
/// printers may write them; and half of a surrogate pair in an escape becomes U+FFFD, as browsers send strings
/// that hold one. Members come in the order of the text, the same name twice if it is there twice.
package struct JSONReader: ~Escapable {
  package enum Kind: Hashable, Sendable {
    case object, array, string, number, boolean, null
  }

  private let bytes: Span<UInt8>
  /// How many objects and arrays may still be opened.
  private var depth: Int
  /// Whether members that nobody asked for are passed over.
  private let skipsUnknownNames: Bool
  /// Whether the object or array in hand has given nothing yet.
  private var isFirst = true
  /// The index of the next byte.
  package private(set) var offset = 0

  /// `maximumDepth` bounds how many objects and arrays may be within one another.
  @_lifetime(copy bytes)
  package init(_ bytes: Span<UInt8>, maximumDepth: Int = 100, skipsUnknownNames: Bool = false) {
    self.bytes = bytes
    self.depth = maximumDepth
    self.skipsUnknownNames = skipsUnknownNames
  }

  private func malformed() -> JSONError { JSONError(.malformed, at: offset) }

  /// The error of a value that is well-formed but not what is needed.
  package func wrongValue() -> JSONError { JSONError(.wrongValue, at: offset) }
}

// MARK: - Structure

extension JSONReader {
  /// The next byte that is no white space; 0 at the end.
  private mutating func next() -> UInt8 {
    while offset < bytes.count {
      let byte = bytes[offset]
      guard byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else { return byte }
      offset &+= 1
    }
    return 0
  }

  /// What the next value is, without reading it.
  package mutating func peek() throws(JSONError) -> Kind {
    switch next() {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .boolean
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "N"),
      UInt8(ascii: "I"):
      return .number
    default: throw malformed()
    }
  }

  private mutating func expect(_ kind: Kind) throws(JSONError) {
    guard try peek() == kind else { throw wrongValue() }
  }

  private mutating func open(_ kind: Kind) throws(JSONError) {
    try expect(kind)
    guard depth > 0 else { throw JSONError(.tooDeep, at: offset) }
    depth -= 1
    offset += 1
    isFirst = true
  }

  /// Goes to the next member or element; `false` when `close` ends them.
  private mutating func advance(_ close: UInt8) throws(JSONError) -> Bool {
    let byte = next()
    if byte == close {
      offset += 1
      depth += 1
      isFirst = false
      return false
    }
    if !isFirst {
      guard byte == UInt8(ascii: ",") else { throw malformed() }
      offset += 1
    }
    isFirst = false
    return true
  }

  private mutating func colon() throws(JSONError) {
    guard next() == UInt8(ascii: ":") else { throw malformed() }
    offset += 1
  }

  /// Opens an object; read its members with `nextKey` or `nextMember` until they end it.
  package mutating func beginObject() throws(JSONError) {
    try open(.object)
  }

  /// Opens an array; call `nextElement` before each value until it is `false`.
  package mutating func beginArray() throws(JSONError) {
    try open(.array)
  }

  /// Whether the array has another value, which must then be read.
  package mutating func nextElement() throws(JSONError) -> Bool {
    try advance(UInt8(ascii: "]"))
  }

  /// The name of the next member, whose value must then be read; `nil` after the last.
  package mutating func nextKey() throws(JSONError) -> String? {
    guard try advance(UInt8(ascii: "}")) else { return nil }
    guard next() == UInt8(ascii: "\"") else { throw malformed() }
    let key = try readString()
    try colon()
    return key
  }

  /// Whether the object has another member, whose name must then be read with `readKey`.
  package mutating func nextKeyFollows() throws(JSONError) -> Bool {
    try advance(UInt8(ascii: "}"))
  }

  /// Appends the name of a member, valid UTF-8, to `target`; its value must then be read.
  package mutating func readKey(into target: inout [UInt8]) throws(JSONError) {
    guard next() == UInt8(ascii: "\"") else { throw malformed() }
    try readString(into: &target)
    try colon()
  }

  /// Which of `names` the next member has, as an index; its value must then be read. `nil` after the last.
  ///
  /// - Throws: `unknownName` for any other name, unless such members are passed over.
  package mutating func nextMember(of names: [StaticString]) throws(JSONError) -> Int? {
    while try advance(UInt8(ascii: "}")) {
      if let index = try readName(of: names) { return index }
      try skipValue()
    }
    return nil
  }

  /// Which of `names` is next; `nil` for one of a member that is to be passed over.
  private mutating func readName(of names: [StaticString]) throws(JSONError) -> Int? {
    guard next() == UInt8(ascii: "\"") else { throw malformed() }
    let start = offset
    let (content, isPlain) = try readQuoted()
    if isPlain {
      for index in names.indices where Self.matches(content, names[index]) {
        try colon()
        return index
      }
    } else {
      var unescaped: [UInt8] = []
      try unescape(content, from: start + 1, into: &unescaped)
      for index in names.indices where Self.matches(unescaped.span, names[index]) {
        try colon()
        return index
      }
    }
    guard skipsUnknownNames else { throw JSONError(.unknownName, at: start) }
    try colon()
    return nil
  }

  /// The index of the name among `names` that `name` is; `nil` if it is none of them.
  package static func index(of name: Substring, in names: [StaticString]) -> Int? {
    let content = name.utf8.span
    for index in names.indices where matches(content, names[index]) { return index }
    return nil
  }

  private static func matches(_ content: Span<UInt8>, _ name: StaticString) -> Bool {
    guard content.count == name.utf8CodeUnitCount else { return false }
    let start = unsafe name.utf8Start
    for index in content.indices where unsafe content[index] != start[index] { return false }
    return true
  }

  /// Reads past the next value, whatever it is.
  package mutating func skipValue() throws(JSONError) {
    switch try peek() {
    case .object:
      try beginObject()
      while try nextKey() != nil { try skipValue() }
    case .array:
      try beginArray()
      while try nextElement() { try skipValue() }
    case .string: _ = try readString()
    case .number: _ = try readNumber()
    case .boolean: _ = try readBool()
    case .null: try readNull()
    }
  }

  /// Checks that nothing but white space is left.
  package mutating func finish() throws(JSONError) {
    _ = next()
    guard offset == bytes.count else { throw JSONError(.trailingBytes, at: offset) }
  }
}

// MARK: - Values

extension JSONReader {
  private mutating func readWord(_ word: StaticString) throws(JSONError) {
    let end = offset + word.utf8CodeUnitCount
    guard end <= bytes.count, Self.matches(bytes.extracting(offset..<end), word) else {
      throw malformed()
    }
    offset = end
  }

  package mutating func readNull() throws(JSONError) {
    try expect(.null)
    try readWord("null")
  }

  /// Reads a `null` if that is next.
  package mutating func skipNull() throws(JSONError) -> Bool {
    guard try peek() == .null else { return false }
    try readNull()
    return true
  }

  package mutating func readBool() throws(JSONError) -> Bool {
    try expect(.boolean)
    let value = bytes[offset] == UInt8(ascii: "t")
    try readWord(value ? "true" : "false")
    return value
  }

  /// The text of a number as it stands, so that nothing of it is lost.
  @_lifetime(copy self)
  package mutating func readNumber() throws(JSONError) -> Span<UInt8> {
    try expect(.number)
    let start = offset
    if bytes[offset] == UInt8(ascii: "-") { offset += 1 }
    switch offset < bytes.count ? bytes[offset] : 0 {
    case UInt8(ascii: "N") where offset == start: try readWord("NaN")
    case UInt8(ascii: "I"): try readWord("Infinity")
    case UInt8(ascii: "0"):
      offset += 1
      try readFraction()
    case UInt8(ascii: "1")...UInt8(ascii: "9"):
      readDigits()
      try readFraction()
    default: throw malformed()
    }
    return bytes.extracting(start..<offset)
  }

  private mutating func readDigits() {
    while offset < bytes.count, bytes[offset] &- UInt8(ascii: "0") < 10 { offset &+= 1 }
  }

  private mutating func readFraction() throws(JSONError) {
    if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
      offset += 1
      let start = offset
      readDigits()
      guard offset > start else { throw malformed() }
    }
    if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
      offset += 1
      if offset < bytes.count,
        bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-")
      {
        offset += 1
      }
      let start = offset
      readDigits()
      guard offset > start else { throw malformed() }
    }
    if offset < bytes.count, bytes[offset] &- UInt8(ascii: "0") < 10 { throw malformed() }
  }

  package mutating func readString() throws(JSONError) -> String {
    try expect(.string)
    let start = offset
    let (content, isPlain) = try readQuoted()
    if isPlain, let string = String(utf8: content) { return string }
    var unescaped: [UInt8] = []
    try unescape(content, from: start + 1, into: &unescaped)
    guard let string = String(utf8: unescaped.span) else { throw JSONError(.malformed, at: start) }
    return string
  }

  /// Appends the bytes of a string, valid UTF-8, to `target`.
  package mutating func readString(into target: inout [UInt8]) throws(JSONError) {
    try expect(.string)
    let start = offset
    let (content, isPlain) = try readQuoted()
    guard isPlain else { return try unescape(content, from: start + 1, into: &target) }
    try Self.append(content, at: start + 1, to: &target)
  }

  private static func append(
    _ content: Span<UInt8>, at offset: Int, to target: inout [UInt8]
  ) throws(JSONError) {
    guard (try? UTF8Span(validating: content)) != nil else {
      throw JSONError(.malformed, at: offset)
    }
    unsafe content.withUnsafeBufferPointer { unsafe target.append(contentsOf: $0) }
  }

  /// What stands between the quotes, and whether it has no escapes.
  @_lifetime(copy self)
  private mutating func readQuoted() throws(JSONError) -> (content: Span<UInt8>, isPlain: Bool) {
    let start = offset &+ 1
    var index = plainTextEnd(bytes, from: start)
    var isPlain = true
    while index < bytes.count, bytes[index] >= 0x20 {
      if bytes[index] == UInt8(ascii: "\"") {
        offset = index &+ 1
        return (bytes.extracting(start..<index), isPlain)
      }
      isPlain = false
      guard index &+ 1 < bytes.count, bytes[index &+ 1] >= 0x20 else { break }
      index = plainTextEnd(bytes, from: index &+ 2)
    }
    throw JSONError(.malformed, at: min(index, bytes.count))
  }
}

// MARK: - Escapes

extension JSONReader {
  private func unescape(
    _ content: Span<UInt8>, from start: Int, into target: inout [UInt8]
  ) throws(JSONError) {
    var index = 0
    while index < content.count {
      var end = index
      while end < content.count, content[end] != UInt8(ascii: "\\") { end &+= 1 }
      try Self.append(content.extracting(index..<end), at: start + index, to: &target)
      guard end < content.count else { return }
      index = try unescapeOne(content, end, start, into: &target)
    }
  }

  /// Appends what the escape at `index` stands for and returns the index behind it.
  private func unescapeOne(
    _ content: Span<UInt8>, _ index: Int, _ start: Int, into target: inout [UInt8]
  ) throws(JSONError) -> Int {
    guard index + 1 < content.count else { throw JSONError(.malformed, at: start + index) }
    switch content[index + 1] {
    case UInt8(ascii: "\""): target.append(UInt8(ascii: "\""))
    case UInt8(ascii: "\\"): target.append(UInt8(ascii: "\\"))
    case UInt8(ascii: "/"): target.append(UInt8(ascii: "/"))
    case UInt8(ascii: "b"): target.append(0x08)
    case UInt8(ascii: "f"): target.append(0x0c)
    case UInt8(ascii: "n"): target.append(0x0a)
    case UInt8(ascii: "r"): target.append(0x0d)
    case UInt8(ascii: "t"): target.append(0x09)
    case UInt8(ascii: "u"):
      guard let high = Self.codeUnit(content, index) else {
        throw JSONError(.malformed, at: start + index)
      }
      var scalar = UInt32(high)
      var end = index + 6
      if 0xd800..<0xdc00 ~= high, let low = Self.codeUnit(content, end), 0xdc00..<0xe000 ~= low {
        scalar = 0x10000 + (UInt32(high) - 0xd800) << 10 + (UInt32(low) - 0xdc00)
        end += 6
      }
      target.append(contentsOf: (Unicode.Scalar(scalar) ?? "\u{fffd}").utf8)
      return end
    default: throw JSONError(.malformed, at: start + index)
    }
    return index + 2
  }

  /// The code unit of a `\uXXXX` at `index`, if there is one.
  private static func codeUnit(_ content: Span<UInt8>, _ index: Int) -> UInt16? {
    guard index + 6 <= content.count, content[index] == UInt8(ascii: "\\"),
      content[index + 1] == UInt8(ascii: "u")
    else { return nil }
    var unit: UInt16 = 0
    for position in (index + 2)..<(index + 6) {
      guard let digit = hexadecimalDigit(content[position]) else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}
