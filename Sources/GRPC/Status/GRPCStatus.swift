/// How a call ended: a code, a text for the caller, and optional details.
package struct GRPCStatus: Error, Hashable, Sendable {
  /// The codes of gRPC with their numbers on the wire.
  package enum Code: Int, CaseIterable, Sendable {
    case ok = 0
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
  /// Any text; it is percent-encoded on the wire.
  package var message: String
  /// A serialised `google.rpc.Status`, sent as `grpc-status-details-bin`; empty for none.
  package var details: [UInt8]

  package init(_ code: Code, _ message: String = "", details: [UInt8] = []) {
    self.code = code
    self.message = message
    self.details = details
  }
}
