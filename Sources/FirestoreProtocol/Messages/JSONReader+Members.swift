internal import Coding

// The forms that a field of each type may have in JSON, which are those that Google's servers take: numbers in
// strings, numbers and booleans for strings, `"true"` for a boolean.

extension JSONReader {
  mutating func readStringMember() throws(JSONError) -> String {
    switch try peek() {
    case .string: return try readString()
    case .number: return String(utf8: try readNumber()) ?? ""
    case .boolean: return try readBool() ? "true" : "false"
    case .object, .array, .null: throw wrongValue()
    }
  }

  mutating func readBoolMember() throws(JSONError) -> Bool {
    guard try peek() == .string else { return try readBool() }
    switch UTF8String(try readString()) {
    case "true": return true
    case "false": return false
    default: throw wrongValue()
    }
  }

  mutating func readInt64Member() throws(JSONError) -> Int64 {
    if try peek() == .string {
      let text = try readString()
      guard let value = Int64(decimal: text.utf8.span) else { throw wrongValue() }
      return value
    }
    let text = try readNumber()
    guard let value = Int64(decimal: text) else { throw wrongValue() }
    return value
  }

  mutating func readInt32Member() throws(JSONError) -> Int32 {
    guard let value = Int32(exactly: try readInt64Member()) else { throw wrongValue() }
    return value
  }

  mutating func readDoubleMember() throws(JSONError) -> Double {
    if try peek() == .string {
      let text = try readString()
      guard let value = Double(decimal: text.utf8.span) else { throw wrongValue() }
      return value
    }
    let text = try readNumber()
    guard let value = Double(decimal: text) else { throw wrongValue() }
    return value
  }

  mutating func readBytesMember() throws(JSONError) -> [UInt8] {
    guard let bytes = Base64.decode(try readString()) else { throw wrongValue() }
    return bytes
  }

  mutating func readTimestampMember() throws(JSONError) -> Timestamp {
    guard let time = Timestamp(rfc3339: try readString()) else { throw wrongValue() }
    return time
  }

  mutating func readInt32Wrapper() throws(JSONError) -> Int32 {
    guard let value = Int32(exactly: try readInt64Wrapper()) else { throw wrongValue() }
    return value
  }

  /// A wrapper is its bare value; an object with a `value` is taken too, as web clients send it.
  mutating func readInt64Wrapper() throws(JSONError) -> Int64 {
    guard try peek() == .object else { return try readInt64Member() }
    var value: Int64 = 0
    try beginObject()
    while try nextMember(of: ["value"]) != nil {
      if try !skipNull() { value = try readInt64Member() }
    }
    return value
  }

  mutating func readDoubleWrapper() throws(JSONError) -> Double {
    guard try peek() == .object else { return try readDoubleMember() }
    var value = 0.0
    try beginObject()
    while try nextMember(of: ["value"]) != nil {
      if try !skipNull() { value = try readDoubleMember() }
    }
    return value
  }
}
