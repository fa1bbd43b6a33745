internal import Coding
package import FirestoreModel
package import FirestoreProtocol
package import FirestoreService

/// The methods of `google.firestore.v1.Firestore`: request message in, operation of the service, response messages out.
///
/// A method with a stream of responses gives each to `send`, which waits while the client does not read and throws when it
/// is gone.
package struct FirestoreMethods: Sendable {
  let operations: FirestoreOperations
  private let recentPrincipals = RecentPrincipals()

  package init(_ operations: FirestoreOperations) {
    self.operations = operations
  }

  /// Who sends `authorization`, the value of that header; `nil` or an empty one is nobody.
  ///
  /// - Throws: as `Principal.init(authorization:)`.
  package func principal(authorization: String?) throws(FirestoreError) -> Principal {
    try recentPrincipals.principal(authorization: authorization)
  }

  /// The error of a method that is not built.
  package func unimplemented(_ method: V1.FirestoreMethod) -> FirestoreError {
    FirestoreError(.unimplemented, "Method \(method.path.dropFirst()) is unimplemented")
  }

  /// `ClearData` of the emulator's own service: deletes all documents of a database, whoever asks.
  package func clearData(database: String) async throws(FirestoreError) {
    try await operations.clear(try DatabaseName(parsing: database))
  }
}
