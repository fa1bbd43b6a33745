/// Names of protobuf in the spelling of Swift and of JSON.
enum Names {
  private static let keywords: Set<String> = [
    "in", "where", "operator", "as", "is", "default", "case", "struct", "enum", "extension",
  ]

  /// `field_path` as `fieldPath`.
  static func json(_ name: String) -> String {
    let parts = name.split(separator: "_")
    return parts.prefix(1).joined() + parts.dropFirst().map { capitalized(String($0)) }.joined()
  }

  /// A property or case: `target_id` as `targetID`, keywords in backticks.
  static func property(_ name: String) -> String {
    let parts = name.lowercased().split(separator: "_").map(String.init)
    let rest = parts.dropFirst().map { part in
      switch part {
      case "id", "url": part.uppercased()
      case "ids": "IDs"
      default: capitalized(part)
      }
    }
    let joined = (parts.prefix(1) + rest).joined()
    return keywords.contains(joined) ? "`\(joined)`" : joined
  }

  /// A type: `transform_type` as `TransformType`.
  static func type(_ name: String) -> String {
    name.split(separator: "_").map { capitalized(String($0)) }.joined()
  }

  /// The name of a message, where Swift can't have it another.
  static func message(_ name: String) -> String {
    name == "Any" ? "AnyMessage" : name
  }

  /// A method as a case: `GetDocument` as `getDocument`.
  static func method(_ name: String) -> String {
    let lower = name.prefix(1).lowercased() + name.dropFirst()
    return lower.replacing("Ids", with: "IDs")
  }

  private static func capitalized(_ word: String) -> String {
    word.prefix(1).uppercased() + word.dropFirst()
  }
}
