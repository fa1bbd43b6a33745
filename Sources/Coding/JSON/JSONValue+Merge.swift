extension [UTF8String: JSONValue] {
  /// Members of `changes` replace others, `null` removes them; objects are merged down to a depth.
  package mutating func merge(_ changes: [UTF8String: JSONValue], depth: Int) {
    for (name, value) in changes {
      switch value {
      case .null: self[name] = nil
      case .object(let members) where depth > 1:
        var merged = self[name]?.members ?? [:]
        merged.merge(members, depth: depth - 1)
        self[name] = .object(merged)
      case .object, .array, .bool, .number, .string: self[name] = value
      }
    }
  }
}

extension JSONValue {
  /// A whole number; in a string too, as Google's APIs have those of 64 bits.
  package var integer: Int64? {
    switch self {
    case .number(let text), .string(let text): Int64(text)
    case .null, .bool, .array, .object: nil
    }
  }

  /// The member of an object.
  package subscript(name: UTF8String) -> JSONValue? { members?[name] }
}
