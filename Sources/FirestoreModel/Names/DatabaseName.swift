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
    "projects/\(project.string)/databases/\(database.string)"
  }

  /// Lower-case letters, digits and hyphens, with a domain and a colon before them if there is one.
  static func isProject(_ id: UTF8String) -> Bool {
    let parts = id.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count <= 2, id.count <= 200, let project = parts.last else { return false }
    let isPlain = { (byte: UInt8) in
      isLowerOrDigit(byte) || byte == UInt8(ascii: "-")
    }
    guard let first = project.first, isLowerOrDigit(first), project.allSatisfy(isPlain) else {
      return false
    }
    guard parts.count == 2 else { return true }
    guard let first = parts[0].first, isLowerOrDigit(first) else { return false }
    return parts[0].allSatisfy { isPlain($0) || $0 == UInt8(ascii: ".") }
  }

  /// `(default)`, or letters, digits, hyphens, dots and underscores: more than production lets one create,
  /// since test suites use all of these.
  static func isDatabase(_ id: UTF8String) -> Bool {
    if id == "(default)" { return true }
    return id.count <= 100
      && id.utf8.allSatisfy { byte in
        isLowerOrDigit(byte) || (0x41...0x5a).contains(byte) || "-._".utf8.contains(byte)
      }
  }

  private static func isLowerOrDigit(_ byte: UInt8) -> Bool {
    (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte)
  }
}
