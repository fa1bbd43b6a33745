/// Error texts of the service where they are known, in place of those that were recorded.
enum MessageTexts {
  /// What is expected where `recorded`, an error text after normalisation, was recorded.
  static func expected(for recorded: String) -> String {
    if let match = recorded.wholeMatch(
      of:
        /no entity to update: app: "dev~(.+)"\npath <\n((?:  Element \{\n(?:    .*\n)+  \}\n)+)>\n/)
    {
      let path = match.2.matches(of: /\ {4}type: "(.*)"\n {4}(?:name: "(.*)"|id: (.*))\n/)
        .map { "\($0.1)/\($0.2 ?? $0.3 ?? "")" }.joined(separator: "/")
      return "No document to update: {db}/documents/\(path)"
    }
    if let match = recorded.wholeMatch(
      of: /entity already exists: EntityRef\{partitionRef=dev~.+, path=\/(.+)\}/)
    {
      return "Document already exists: {db}/documents/\(match.1)"
    }
    return table[recorded] ?? recorded
  }

  private static let table: [String: String] = [:]
}
