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
    let indentation = isPretty ? 2 * depth : nil
    bytes.append(addingCapacity: 2 * depth + 2) { output in
      if let indentation { output.appendLine(indentation) }
      output.append(UInt8(ascii: "}"))
    }
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

  /// The name of a member that needs no escapes; its value must follow.
  package mutating func writeKey(_ key: StaticString) {
    unsafe writeKey(
      plain: UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount).span)
  }

  private mutating func writeKey(plain key: Span<UInt8>) {
    let needsComma = needsComma
    let indentation = isPretty ? 2 * depth : nil
    bytes.append(addingCapacity: key.count + 2 * depth + 6) { output in
      if needsComma { output.append(UInt8(ascii: ",")) }
      if let indentation { output.appendLine(indentation) }
      output.append(UInt8(ascii: "\""))
      output.append(key)
      output.append(UInt8(ascii: "\""))
      output.append(UInt8(ascii: ":"))
      if indentation != nil { output.append(0x20) }
    }
    followsKey = true
  }

  /// The name of a member; its value must follow.
  package mutating func writeKey(_ key: String) {
    writeKey(utf8: key.utf8.span)
  }

  /// The name of a member, valid UTF-8; its value must follow.
  package mutating func writeKey(utf8 key: Span<UInt8>) {
    guard plainTextEnd(key, from: 0) < key.count else { return writeKey(plain: key) }
    var escaped = JSONWriter()
    escaped.appendQuoted(key)
    writeKey(plain: escaped.bytes.span.extracting(1..<(escaped.bytes.count - 1)))
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
    var rest = value.magnitude
    var digits = [20 of UInt8](repeating: 0)
    var start = digits.count
    repeat {
      start -= 1
      digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
    bytes.append(addingCapacity: 1 + digits.count - start) { output in
      if value < 0 { output.append(UInt8(ascii: "-")) }
      output.append(digits.span.extracting(start...))
    }
  }

  private mutating func appendQuoted(_ text: Span<UInt8>) {
    var end = plainTextEnd(text, from: 0)
    bytes.append(addingCapacity: end + 2) { output in
      output.append(UInt8(ascii: "\""))
      output.append(text.extracting(..<end))
      if end == text.count { output.append(UInt8(ascii: "\"")) }
    }
    guard end < text.count else { return }
    while end < text.count {
      appendEscape(text[end])
      let start = end + 1
      end = plainTextEnd(text, from: start)
      let plain = text.extracting(start..<end)
      bytes.append(addingCapacity: plain.count) { output in output.append(plain) }
    }
    bytes.append(UInt8(ascii: "\""))
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

extension OutputSpan<UInt8> {
  /// A line break and so many blanks.
  @_lifetime(self: copy self)
  fileprivate mutating func appendLine(_ indentation: Int) {
    append(0x0a)
    for _ in 0..<indentation { append(0x20) }
  }
}
