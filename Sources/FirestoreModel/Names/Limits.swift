/// The limits of Firestore that the model enforces.
package enum Limits {
  /// Bytes of a collection or document id, and of a field name.
  package static let idBytes = 1_500
  /// Bytes of a field path; each name in it counts one more.
  package static let fieldPathBytes = 1_500
  /// Size of a document name.
  package static let nameBytes = 6 * 1_024
  /// Collection and document ids in a name: a hundred of each.
  package static let pathIDs = 200
  /// Maps and arrays within one another, in one field.
  package static let nesting = 20
  /// Size of a document with its name.
  package static let documentBytes = 1_048_576
  /// Size of a string or of bytes.
  package static let valueBytes = 1_048_487
  /// Size of all documents of a commit together.
  package static let commitBytes = 10 * 1_024 * 1_024
  /// Transforms of one document in a commit.
  package static let transformsPerDocument = 500
  /// Entries that a document has in the indexes of its fields, the size of each, and of all together.
  package static let indexEntries = 40_000
  package static let indexEntryBytes = 7_680
  package static let indexBytes = 8 * 1_024 * 1_024
  /// Size of what an index holds of a value.
  package static let indexedBytes = 1_500
  /// Dimensions of a vector.
  package static let vectorDimensions = 2_048
}
