/// Appends JSON to bytes.
///
/// The pretty form indents by two spaces, puts every member on a line of its own (an empty object takes two lines)
/// and the values of an array side by side. Strings go out as plain UTF-8, with only the escapes that JSON demands.
package struct JSONWriter: Sendable {
  package var bytes: [UInt8]
  package let isPretty: Bool
  /// Whether the messages written here give enums as numbers (`$alt=json;enum-encoding=int`).
  package let enumsAreNumbers: Bool
  private var depth = 0
  private var needsComma = false
  private var followsKey = false

  package init(_ bytes: [UInt8] = [], isPretty: Bool = false, enumsAreNumbers: Bool = false) {
    self.bytes = bytes
    self.isPretty = isPretty
    self.enumsAreNumbers = enumsAreNumbers
  }

  private mutating func newLine() {
    guard isPretty else { return }
    bytes.append(0x0a)
    for _ in 0..<depth * 2 { bytes.append(0x20) }
  }

  /// What must stand before a value.
  private mutating func separate() {
    if followsKey {
      followsKey = false
    } else if needsComma {
      bytes.append(UInt8(ascii: ","))
      if isPretty { bytes.append(0x20) }
    }
    needsComma = true
  }
}

// MARK: - Structure

extension JSONWriter {
  package mutating func beginObject() {
    separate()
    bytes.append(UInt8(ascii: "{"))
    depth += 1
    needsComma = false
  }

  package mutating func endObject() {
    depth -= 1
    newLine()
    bytes.append(UInt8(ascii: "}"))
    needsComma = true
  }

  package mutating func beginArray() {
    separate()
    bytes.append(UInt8(ascii: "["))
    needsComma = false
  }

  package mutating func endArray() {
    bytes.append(UInt8(ascii: "]"))
    needsComma = true
  }

  private mutating func beginKey() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    newLine()
  }

  private mutating func endKey() {
    bytes.append(UInt8(ascii: ":"))
    if isPretty { bytes.append(0x20) }
    followsKey = true
  }

  /// The name of a member that needs no escapes; its value must follow.
  package mutating func writeKey(_ key: StaticString) {
    beginKey()
    bytes.append(UInt8(ascii: "\""))
    unsafe bytes.append(
      contentsOf: UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
    bytes.append(UInt8(ascii: "\""))
    endKey()
  }

  /// The name of a member; its value must follow.
  package mutating func writeKey(_ key: String) {
    writeKey(utf8: key.utf8.span)
  }

  /// The name of a member, valid UTF-8; its value must follow.
  package mutating func writeKey(utf8 key: Span<UInt8>) {
    beginKey()
    appendQuoted(key)
    endKey()
  }

  /// Ends the text: the pretty form ends with a line break.
  package mutating func finish() {
    if isPretty { bytes.append(0x0a) }
  }
}

// MARK: - Values

extension JSONWriter {
  package mutating func writeNull() {
    writeRaw("null")
  }

  package mutating func writeBool(_ value: Bool) {
    writeRaw(value ? "true" : "false")
  }

  /// A 32-bit integer is a number in protobuf's JSON.
  package mutating func writeInt32(_ value: Int32) {
    separate()
    appendDecimal(Int64(value))
  }

  /// A 64-bit integer is a string in protobuf's JSON.
  package mutating func writeInt64(_ value: Int64) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    appendDecimal(value)
    bytes.append(UInt8(ascii: "\""))
  }

  /// The shortest text that gives the same double; whole ones end in `.0`, what is no number is a string.
  package mutating func writeDouble(_ value: Double) {
    separate()
    if value.isFinite {
      bytes.append(contentsOf: value.description.utf8)
    } else {
      appendQuoted((value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity").utf8.span)
    }
  }

  package mutating func writeString(_ value: String) {
    writeString(utf8: value.utf8.span)
  }

  /// A string given by its bytes, valid UTF-8.
  package mutating func writeString(utf8 value: Span<UInt8>) {
    separate()
    appendQuoted(value)
  }

  /// Bytes in standard base64 with padding.
  package mutating func writeBase64(_ value: Span<UInt8>) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    Base64.encode(value, into: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  package mutating func writeTimestamp(_ value: Timestamp) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    value.appendRFC3339(to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  /// A number, by its text.
  package mutating func writeNumber(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func writeRaw(_ text: StaticString) {
    separate()
    unsafe bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func appendDecimal(_ value: Int64) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    let start = bytes.count
    var rest = value.magnitude
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  private mutating func appendQuoted(_ text: Span<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    var start = 0
    while true {
      let end = plainTextEnd(text, from: start)
      appendPlain(text.extracting(start..<end))
      guard end < text.count else { break }
      appendEscape(text[end])
      start = end + 1
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func appendPlain(_ text: Span<UInt8>) {
    unsafe text.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
  }

  private mutating func appendEscape(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0a: bytes.append(UInt8(ascii: "n"))
    case 0x0c: bytes.append(UInt8(ascii: "f"))
    case 0x0d: bytes.append(UInt8(ascii: "r"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    default:
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(UInt8(ascii: "0") + byte >> 4)
      let digit = byte & 15
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}
