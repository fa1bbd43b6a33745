internal import Coding

/// Reads a resource name from left to right and says at which character it is wrong.
///
/// Indexes in texts count UTF-16 units, as the service does.
struct NameParser {
  private let text: String
  private let label: String
  /// In bytes.
  private var position = 0

  init(_ text: String, label: String) {
    self.text = text
    self.label = label
  }

  var isAtEnd: Bool { position == text.utf8.count }

  /// Reads `projects/{project}/databases/{database}`.
  mutating func database() throws(FirestoreError) -> DatabaseName {
    try word("projects")
    try slash()
    let project = segment()
    guard !project.isEmpty else { throw lacking("a project id") }
    try slash()
    try word("databases")
    try slash()
    let database = segment()
    guard !database.isEmpty else { throw lacking("a database id") }
    guard DatabaseName.isProject(project) else {
      throw .invalidArgument("Illegal string \"\(project)\" in project.")
    }
    guard DatabaseName.isDatabase(database) else {
      throw .invalidArgument("Illegal string \"\(database)\" in database.")
    }
    return DatabaseName(project: project, database: database)
  }

  /// Reads `/documents`.
  mutating func documents() throws(FirestoreError) {
    try slash()
    try word("documents")
  }

  /// Reads `/{collection}/{document}` until the end.
  mutating func path() throws(FirestoreError) -> [UTF8String] {
    var segments: [UTF8String] = []
    while !isAtEnd {
      try slash()
      let isCollection = segments.count % 2 == 0
      if isAtEnd && isCollection {
        throw .invalidArgument("\(label) \"\(text)\" is invalid: Omit trailing \"/\".")
      }
      let start = position
      let id = segment()
      try check(id, from: start, isCollection: isCollection)
      segments.append(id)
    }
    guard segments.count % 2 == 0 else { throw lacking("\"/\"") }
    guard segments.count <= Limits.pathIDs else {
      throw .invalidArgument("Key path is too long. Cannot exceed 100 elements.")
    }
    return segments
  }

  private func check(
    _ id: UTF8String, from start: Int, isCollection: Bool
  ) throws(FirestoreError) {
    let kind = isCollection ? "a collection id" : "a resource id"
    guard !id.isEmpty else { throw lacking(kind) }
    if id == "." || id == ".." {
      throw .invalidArgument(
        "\(label) \"\(text)\" contains \(kind) \"\(id)\" at index \(index(of: start)).")
    }
    if isCollection {
      try ResourceID.checkCollection(id)
    } else {
      try ResourceID.checkDocument(id)
    }
  }

  private mutating func word(_ word: String) throws(FirestoreError) {
    let (bytes, expected) = (text.utf8.span, word.utf8.span)
    let end = position + expected.count
    guard end <= bytes.count, end == bytes.count || bytes[end] == UInt8(ascii: "/") else {
      throw lacking("\"\(word)\"")
    }
    for index in expected.indices where bytes[position + index] != expected[index] {
      throw lacking("\"\(word)\"")
    }
    position = end
  }

  private mutating func slash() throws(FirestoreError) {
    let bytes = text.utf8.span
    guard position < bytes.count, bytes[position] == UInt8(ascii: "/") else {
      throw lacking("\"/\"")
    }
    position += 1
  }

  private mutating func segment() -> UTF8String {
    let bytes = text.utf8.span
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "/") { position += 1 }
    // Cut at slashes, UTF-8 stays UTF-8.
    return UTF8String(String(utf8: bytes.extracting(start..<position)) ?? "")
  }

  private func lacking(_ what: String) -> FirestoreError {
    .invalidArgument("\(label) \"\(text)\" lacks \(what) at index \(index(of: position)).")
  }

  private func index(of position: Int) -> Int {
    text.utf16.distance(
      from: text.startIndex, to: text.utf8.index(text.startIndex, offsetBy: position))
  }
}
