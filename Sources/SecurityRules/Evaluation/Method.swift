/// What a request does to a document or object.
package enum Method: String, Sendable {
  case get, list, create, update, delete

  /// Every word that an `allow` may name.
  static let words: Set<String> = [
    "get", "list", "create", "update", "delete", "read", "write",
  ]

  /// Whether `word` in an `allow` speaks of this method.
  func isNamed(by word: String) -> Bool {
    switch self {
    case .get, .list: word == rawValue || word == "read"
    case .create, .update, .delete: word == rawValue || word == "write"
    }
  }
}
