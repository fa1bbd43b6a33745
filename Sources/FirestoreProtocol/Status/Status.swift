package import Coding
package import FirestoreModel

// Codes and texts of errors as each transport shows them. Nothing else maps codes.

extension FirestoreError.Code {
  /// The number of the code in gRPC and in `google.rpc.Status`.
  package var number: Int32 { Int32(rawValue) }

  /// The canonical name.
  package var name: StaticString {
    switch self {
    case .cancelled: "CANCELLED"
    case .unknown: "UNKNOWN"
    case .invalidArgument: "INVALID_ARGUMENT"
    case .deadlineExceeded: "DEADLINE_EXCEEDED"
    case .notFound: "NOT_FOUND"
    case .alreadyExists: "ALREADY_EXISTS"
    case .permissionDenied: "PERMISSION_DENIED"
    case .resourceExhausted: "RESOURCE_EXHAUSTED"
    case .failedPrecondition: "FAILED_PRECONDITION"
    case .aborted: "ABORTED"
    case .outOfRange: "OUT_OF_RANGE"
    case .unimplemented: "UNIMPLEMENTED"
    case .internalError: "INTERNAL"
    case .unavailable: "UNAVAILABLE"
    case .dataLoss: "DATA_LOSS"
    case .unauthenticated: "UNAUTHENTICATED"
    }
  }

  /// The HTTP status of an answer with the code, as `google.rpc.Code` maps them.
  package var httpStatus: Int {
    switch self {
    case .invalidArgument, .failedPrecondition, .outOfRange: 400
    case .unauthenticated: 401
    case .permissionDenied: 403
    case .notFound: 404
    case .alreadyExists, .aborted: 409
    case .resourceExhausted: 429
    case .cancelled: 499
    case .unknown, .internalError, .dataLoss: 500
    case .unimplemented: 501
    case .unavailable: 503
    case .deadlineExceeded: 504
    }
  }
}

extension RPC.Status {
  package init(_ error: FirestoreError) {
    self.init(code: error.code.number, message: error.message)
  }
}

extension FirestoreError {
  /// JSON that is no request of the kind expected, whatever is wrong with it.
  package init(_ error: JSONError) {
    self.init(.invalidArgument, "Payload isn't valid for request.")
  }

  /// Writes `{"error": {"code": 404, "message": …, "status": "NOT_FOUND"}}`; `code` is the HTTP status.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.writeKey("error")
    writer.beginObject()
    writer.writeKey("code")
    writer.writeInt32(Int32(code.httpStatus))
    if !message.utf8.isEmpty {
      writer.writeKey("message")
      writer.writeString(message)
    }
    writer.writeKey("status")
    writer.writeString(code.name.description)
    writer.endObject()
    writer.endObject()
  }

  /// The body of an answer over HTTP.
  package func jsonBytes(isPretty: Bool = false) -> [UInt8] {
    var writer = JSONWriter(isPretty: isPretty)
    write(to: &writer)
    writer.finish()
    return writer.bytes
  }
}
