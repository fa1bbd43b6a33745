internal import Coding

/// Which contexts an object has to have: `contexts."key"="value"`, `contexts."key":*`, or either with a `-` before it for the
/// opposite.
package struct ContextFilter: Hashable, Sendable {
  private let key: UTF8String
  /// `nil` for any.
  private let value: String?
  private let isNegated: Bool

  /// - Throws: `.invalidArgument` for other texts.
  package init(_ text: String) throws(StorageError) {
    isNegated = text.hasPrefix("-")
    let parts = (isNegated ? text.dropFirst() : text[...])
      .split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 3, parts[0] == "contexts." else { throw Self.invalid }
    key = UTF8String(parts[1])
    switch (parts.count, parts[2]) {
    case (3, ":*"): value = nil
    case (5, "=") where parts[4].isEmpty: value = parts[3]
    default: throw Self.invalid
    }
  }

  private static let invalid = StorageError(.invalidArgument, "Invalid value for filter.")

  func matches(_ object: Object) -> Bool {
    let found = object.attributes.settings["contexts"]?["custom"]?[key]?["value"]?.text
    let isMatch =
      value.map { wanted in found.map { $0.utf8.elementsEqual(wanted.utf8) } ?? false }
      ?? (found != nil)
    return isMatch != isNegated
  }
}
