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
    if recorded == "Transaction is invalid or closed."
      || recorded == "Transaction is invalid or expired."
    {
      return "The referenced transaction has expired or is no longer valid."
    }
    // In the order of a hash table; we sort.
    return recorded.replacing(
      "[f6, f7, f4, f5, f10, f2, f3, f0, f1, f8, f9]",
      with: "[f0, f1, f10, f2, f3, f4, f5, f6, f7, f8, f9]")
  }

  /// A recorded body with the texts that are expected in place of the recorded ones.
  static func expected(for body: JSON) -> JSON {
    switch body {
    case .object(let members):
      .object(
        members.map { key, value in
          guard key == "message", let text = value.string else {
            return (key, expected(for: value))
          }
          return (key, .string(expected(for: text)))
        })
    case .array(let items): .array(items.map { expected(for: $0) })
    case .null, .bool, .number, .string: body
    }
  }
}
