package import Coding
internal import FirestoreEngine
package import FirestoreModel

extension FirestoreOperations {
  /// Deletes all documents of a database at once. Not an operation of the service: tools of the emulator ask for it.
  package func clear(_ database: DatabaseName) async throws(FirestoreError) {
    try await engine.clear(database)
  }

  /// Deletes the document at `path`, if it is one, and everything below, in steps.
  package func clear(
    _ database: DatabaseName, below path: [UTF8String]
  ) async throws(FirestoreError) {
    try await engine.clear(database, below: path)
  }
}
