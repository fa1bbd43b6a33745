/// Any JSON value, for what is kept and given back as it came. Where the shape is known, `JSONReader` and `JSONWriter` do it without.
package indirect enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  /// As it was written.
  case number(String)
  case string(String)
  case array([JSONValue])
  /// By names; the last of several members of one name counts.
  case object([UTF8String: JSONValue])

  /// Reads a whole text.
  ///
  /// - Throws: also for more than `maximumDepth` objects and arrays within one another.
  package init(_ text: [UInt8], maximumDepth: Int = 100) throws(JSONError) {
    var reader = JSONReader(text.span, maximumDepth: maximumDepth)
    self = try JSONValue(&reader)
    try reader.finish()
  }

  package init(_ reader: inout JSONReader) throws(JSONError) {
    switch try reader.peek() {
    case .null:
      try reader.readNull()
      self = .null
    case .boolean: self = .bool(try reader.readBool())
    case .number: self = .number(String(utf8: try reader.readNumber()) ?? "0")
    case .string: self = .string(try reader.readString())
    case .array:
      var elements: [JSONValue] = []
      try reader.beginArray()
      while try reader.nextElement() { elements.append(try JSONValue(&reader)) }
      self = .array(elements)
    case .object:
      var members: [UTF8String: JSONValue] = [:]
      try reader.beginObject()
      while let name = try reader.nextKey() { members[UTF8String(name)] = try JSONValue(&reader) }
      self = .object(members)
    }
  }

  /// The text.
  package var bytes: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }

  package func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.writeNull()
    case .bool(let value): writer.writeBool(value)
    case .number(let text): writer.writeNumber(text)
    case .string(let text): writer.writeString(text)
    case .array(let elements):
      writer.beginArray()
      for element in elements { element.write(to: &writer) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        writer.writeKey(name.string)
        value.write(to: &writer)
      }
      writer.endObject()
    }
  }

  /// The members of an object.
  package var members: [UTF8String: JSONValue]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The text of a string.
  package var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  package var elements: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }
}
