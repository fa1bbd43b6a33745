/// The types of the language, named as its messages name them.
package enum RulesType: UInt8, CaseIterable, Sendable {
  case bool, duration, float, int, latlng, map, null, string, bytes, timestamp, path, list, vector,
    set, constraint, mapDiff
  /// Any value, in the signatures of functions.
  case any

  package var name: String {
    switch self {
    case .bool: "bool"
    case .duration: "duration"
    case .float: "float"
    case .int: "int"
    case .latlng: "latlng"
    case .map: "map"
    case .null: "null"
    case .string: "string"
    case .bytes: "bytes"
    case .timestamp: "timestamp"
    case .path: "path"
    case .list: "list"
    case .vector: "vector"
    case .set: "set"
    case .constraint: "constraint"
    case .mapDiff: "map_diff"
    case .any: "any"
    }
  }
}

/// What may stand behind `is`.
enum TypeTest: String, CaseIterable, Sendable {
  case bool, bytes, constraint, duration, float, int, latlng, list, vector, set, number, map,
    string,
    timestamp, path
  case mapDiff = "map_diff"

  /// Whether a value of `type` passes. Nothing is a `set`, not even a set: the reference implementation is so.
  func accepts(_ type: RulesType) -> Bool {
    switch self {
    case .number: type == .int || type == .float
    case .set: false
    case .bool, .bytes, .constraint, .duration, .float, .int, .latlng, .list, .vector, .map,
      .string,
      .timestamp, .path, .mapDiff:
      type.name == rawValue
    }
  }
}
