package import Coding

// The well-known types whose JSON form is not that of their fields.

extension WellKnown.Duration {
  package init(json reader: inout JSONReader) throws(JSONError) {
    var text = try reader.readString()
    guard text.popLast() == "s", let value = Self.parse(text) else { throw reader.wrongValue() }
    self = value
  }

  /// Reads `[-]SECONDS[.FRACTION]` of at most 10,000 years.
  private static func parse(_ text: String) -> Self? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let seconds = Int64(parts[0]),
      -315_576_000_000...315_576_000_000 ~= seconds
    else { return nil }
    guard parts.count == 2 else { return Self(seconds: seconds) }
    let digits = parts[1]
    guard 1...9 ~= digits.utf8.count, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      let nanos = Int32(digits + String(repeating: "0", count: 9 - digits.utf8.count))
    else { return nil }
    return Self(seconds: seconds, nanos: text.hasPrefix("-") ? -nanos : nanos)
  }

  package func write(to writer: inout JSONWriter) {
    let sign = seconds < 0 || nanos < 0 ? "-" : ""
    var text = "\(sign)\(seconds.magnitude)"
    if nanos != 0 {
      var digits = String(String(1_000_000_000 + UInt64(nanos.magnitude)).dropFirst())
      while digits.hasSuffix("000") { digits.removeLast(3) }
      text += "." + digits
    }
    writer.writeString(text + "s")
  }
}

extension WellKnown.AnyMessage {
  /// No type of message is known here, so that what is inside stays encoded.
  package init(json reader: inout JSONReader) throws(JSONError) {
    self.init()
    try reader.beginObject()
    while let name = try reader.nextMember(of: ["@type", "value"]) {
      if name == 0 {
        typeURL = try reader.readString()
      } else {
        value = try reader.readBytesMember()
      }
    }
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.writeKey("@type")
    writer.writeString(typeURL)
    writer.writeKey("value")
    writer.writeBase64(value.span)
    writer.endObject()
  }
}

extension WellKnown.Struct {
  package init(json reader: inout JSONReader) throws(JSONError) {
    self.init()
    try reader.beginObject()
    while let key = try reader.nextKey() {
      fields.append(MapEntry(key: key, value: try WellKnown.Value(json: &reader)))
    }
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for entry in fields {
      writer.writeKey(entry.key)
      entry.value.write(to: &writer)
    }
    writer.endObject()
  }
}

extension WellKnown.ListValue {
  package init(json reader: inout JSONReader) throws(JSONError) {
    self.init()
    try reader.beginArray()
    while try reader.nextElement() { values.append(try WellKnown.Value(json: &reader)) }
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for value in values { value.write(to: &writer) }
    writer.endArray()
  }
}

extension WellKnown.Value {
  package init(json reader: inout JSONReader) throws(JSONError) {
    self.init()
    switch try reader.peek() {
    case .object: kind = .structValue(try WellKnown.Struct(json: &reader))
    case .array: kind = .listValue(try WellKnown.ListValue(json: &reader))
    case .string: kind = .stringValue(try reader.readString())
    case .number: kind = .numberValue(try reader.readDoubleMember())
    case .boolean: kind = .boolValue(try reader.readBool())
    case .null:
      try reader.readNull()
      kind = .nullValue(.nullValue)
    }
  }

  package func write(to writer: inout JSONWriter) {
    switch kind {
    case .numberValue(let number)?: writer.writeDouble(number)
    case .stringValue(let text)?: writer.writeString(text)
    case .boolValue(let boolean)?: writer.writeBool(boolean)
    case .structValue(let fields)?: fields.write(to: &writer)
    case .listValue(let values)?: values.write(to: &writer)
    case .nullValue?, nil: writer.writeNull()
    }
  }
}
