internal import Coding

extension RulesMap {
  /// The claims of a token; `nil` for anything but the text of a JSON object.
  package init?(claims json: [UInt8]) {
    var reader = JSONReader(json.span)
    guard case .map(let map)? = try? reader.readRulesValue() else { return nil }
    self = map
  }
}

extension JSONReader {
  /// Reads a value of any kind; the reader itself bounds the depth. Whole numbers are integers, however they
  /// are written.
  fileprivate mutating func readRulesValue() throws(JSONError) -> RulesValue {
    switch try peek() {
    case .null:
      try readNull()
      return .null
    case .boolean: return .bool(try readBool())
    case .string: return .string(try readString())
    case .number:
      let text = try readNumber()
      if let number = Int64(decimal: text) { return .int(number) }
      return .float(Double(decimal: text) ?? .infinity)
    case .array:
      var values: [RulesValue] = []
      try beginArray()
      while try nextElement() { values.append(try readRulesValue()) }
      return .list(values)
    case .object:
      var map: RulesMap = [:]
      try beginObject()
      while let key = try nextKey() { map[key] = try readRulesValue() }
      return .map(map)
    }
  }
}
