import Coding

/// A JSON value that compares without regard to the order of members; numbers by value, strings by bytes.
enum JSONValue: Hashable, Sendable {
  struct Member: Hashable, Sendable {
    var name: UTF8String
    var value: JSONValue
  }

  case null
  case boolean(Bool)
  case number(Double)
  case string(UTF8String)
  case array([JSONValue])
  case object([Member])

  init(_ text: [UInt8]) throws(JSONError) {
    var reader = JSONReader(text.span, maximumDepth: 400)
    try self.init(&reader)
    try reader.finish()
  }

  private init(_ reader: inout JSONReader) throws(JSONError) {
    switch try reader.peek() {
    case .null:
      try reader.readNull()
      self = .null
    case .boolean: self = .boolean(try reader.readBool())
    case .number:
      let text = try reader.readNumber()
      self = .number(Double(decimal: text) ?? .nan)
    case .string: self = .string(UTF8String(try reader.readString()))
    case .array:
      var values: [JSONValue] = []
      try reader.beginArray()
      while try reader.nextElement() { values.append(try JSONValue(&reader)) }
      self = .array(values)
    case .object:
      var members: [Member] = []
      try reader.beginObject()
      while let key = try reader.nextKey() {
        members.append(Member(name: UTF8String(key), value: try JSONValue(&reader)))
      }
      self = .object(members.sorted { $0.name < $1.name })
    }
  }
}
