import Coding
import Foundation

@testable import SecurityRules

extension RulesValue {
  /// The value as the table of verified expressions writes it.
  var shown: String {
    switch self {
    case .null: "null"
    case .bool(let bool): "\(bool)"
    case .int(let number): "int \(number)"
    case .float(let number):
      "float \(number.magnitude < 1e15 ? "\(number)" : number.javaText)"
    case .string(let text): "\"\(text)\""
    case .bytes(let bytes):
      "bytes " + bytes.map { String(format: "%02x", $0) }.joined(separator: " ")
    case .list(let values): "[" + values.map(\.shown).joined(separator: ", ") + "]"
    case .set(let values): "set[" + values.map(\.shown).joined(separator: ", ") + "]"
    case .map(let map):
      "{" + map.entries.map { "\($0.key): \($0.value.shown)" }.joined(separator: ", ") + "}"
    case .mapDiff: "map_diff"
    case .path(let path):
      "path [" + (path.texts ?? ["?"]).joined(separator: ", ") + "]"
    case .timestamp(let time): "timestamp \(time.rfc3339)"
    case .duration(let duration): "duration \(duration.text)"
    case .latlng(let latitude, let longitude): "latlng \(latitude) \(longitude)"
    case .vector(let numbers): "vector \(numbers)"
    case .constraint: "constraint"
    case .unknown: "unknown"
    }
  }
}
