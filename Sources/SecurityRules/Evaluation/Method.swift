/// What a request does to a document or object.
package enum Method: String, CaseIterable, Sendable {
  case get, list, create, update, delete

  /// Every word that an `allow` may name.
  static let words: Set<String> = [
    "get", "list", "create", "update", "delete", "read", "write",
  ]

  /// A bit of its own.
  fileprivate var bit: UInt8 {
    switch self {
    case .get: 1
    case .list: 2
    case .create: 4
    case .update: 8
    case .delete: 16
    }
  }

  /// Whether `word` in an `allow` speaks of this method.
  func isNamed(by word: String) -> Bool {
    switch self {
    case .get, .list: word == rawValue || word == "read"
    case .create, .update, .delete: word == rawValue || word == "write"
    }
  }
}

/// Some methods.
struct MethodSet: Sendable {
  private let bits: UInt8

  /// Those that one of `words` in an `allow` speaks of.
  init(_ words: [String]) {
    bits = Method.allCases.reduce(0) { bits, method in
      words.contains(where: method.isNamed) ? bits | method.bit : bits
    }
  }

  func contains(_ method: Method) -> Bool { bits & method.bit != 0 }
}
