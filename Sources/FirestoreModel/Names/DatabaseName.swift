package import Coding

/// `projects/{project}/databases/{database}`.
package struct DatabaseName: Hashable, Sendable {
  package var project: UTF8String
  package var database: UTF8String

  package init(project: UTF8String, database: UTF8String) {
    self.project = project
    self.database = database
  }

  /// Reads the name as it stands on the wire; `label` begins the text of an error.
  ///
  /// - Throws: `INVALID_ARGUMENT`.
  package init(parsing text: String, as label: String = "Database name") throws(FirestoreError) {
    var parser = NameParser(text, label: label)
    self = try parser.database()
    guard parser.isAtEnd else {
      throw .invalidArgument("\(label) \"\(text)\" is invalid: it goes on after the database id.")
    }
  }

  /// The name as it stands on the wire.
  package var text: String {
    String(capacity: textCount) { text in append(to: &text) }
  }

  /// How many bytes `append` writes.
  var textCount: Int { 20 + project.count + database.count }

  func append(to text: inout OutputSpan<UInt8>) {
    text.append("projects/")
    text.append(project.string)
    text.append("/databases/")
    text.append(database.string)
  }

  /// Lower-case letters, digits and hyphens, with a domain and a colon before them if there is one.
  static func isProject(_ id: UTF8String) -> Bool {
    let bytes = id.utf8.span
    guard bytes.count <= 200 else { return false }
    var (start, lastDot) = (0, -1)
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: ":"):
        guard start == 0, index > 0 else { return false }
        start = index + 1
      case UInt8(ascii: "."):
        guard index > start else { return false }
        lastDot = index
      case UInt8(ascii: "-"):
        guard index > start else { return false }
      case let byte:
        guard isLowerOrDigit(byte) else { return false }
      }
    }
    return start < bytes.count && lastDot < start
  }

  /// `(default)`, or letters, digits, hyphens, dots and underscores: more than `checkNew` lets come into being, as a name may
  /// be used to read.
  static func isDatabase(_ id: UTF8String) -> Bool {
    if id == "(default)" { return true }
    let bytes = id.utf8.span
    guard bytes.count <= 100 else { return false }
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), 0x41...0x5a: continue
      case let byte:
        guard isLowerOrDigit(byte) else { return false }
      }
    }
    return true
  }

  /// Checks that a database may come into being under this name; names of any that `isDatabase` allows can be read from.
  ///
  /// Source: `database_id` of `google.firestore.admin.v1.CreateDatabaseRequest`.
  ///
  /// - Throws: `INVALID_ARGUMENT`.
  package func checkNew() throws(FirestoreError) {
    guard database != "(default)", !Self.isCreatable(Array(database.utf8)) else { return }
    throw .invalidArgument(
      "Database id \"\(database)\" is invalid: it must have 4 to 63 lower-case letters, digits and hyphens, begin with a "
        + "letter, end with a letter or digit, and not look like a UUID.")
  }

  private static func isCreatable(_ id: [UInt8]) -> Bool {
    let hyphen = UInt8(ascii: "-")
    guard (4...63).contains(id.count), let first = id.first, (0x61...0x7a).contains(first),
      id.last != hyphen, id.allSatisfy({ isLowerOrDigit($0) || $0 == hyphen })
    else { return false }
    let groups = id.split(separator: hyphen, omittingEmptySubsequences: false)
    let isHexadecimal = id.allSatisfy { $0 <= UInt8(ascii: "f") }
    return !(isHexadecimal && groups.map(\.count) == [8, 4, 4, 4, 12])
  }

  private static func isLowerOrDigit(_ byte: UInt8) -> Bool {
    (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte)
  }
}
