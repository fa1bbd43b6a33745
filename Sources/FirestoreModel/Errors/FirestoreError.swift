/// An answer that is not a success, as every front end gives it: canonical code and text.
package struct FirestoreError: Error, Hashable, Sendable {
  /// The canonical codes of `google.rpc.Code` but OK; the raw value is the number on the wire.
  package enum Code: Int, CaseIterable, Sendable {
    case cancelled = 1
    case unknown = 2
    case invalidArgument = 3
    case deadlineExceeded = 4
    case notFound = 5
    case alreadyExists = 6
    case permissionDenied = 7
    case resourceExhausted = 8
    case failedPrecondition = 9
    case aborted = 10
    case outOfRange = 11
    case unimplemented = 12
    case internalError = 13
    case unavailable = 14
    case dataLoss = 15
    case unauthenticated = 16
  }

  package var code: Code
  /// What the client is told.
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package static func invalidArgument(_ message: String) -> FirestoreError {
    FirestoreError(.invalidArgument, message)
  }
}
