internal import FirestoreModel
internal import FirestoreProtocol
internal import GRPC
internal import HTTPServer
internal import NetIO
internal import ObjectStorage
internal import Telemetry

/// Says what happens to requests: each at the level debug, and at the level info what somebody should look at.
struct RequestLog: Sendable {
  /// What takes longer is slow.
  private static let slowMicroseconds: Int64 = 1_000_000

  let logger: Logger

  /// A request was answered whole; one that `mayLast`, such as a stream or an upload, is never slow.
  func handled(_ request: HTTPRequestHead, since began: Int64, mayLast: @autoclosure () -> Bool) {
    let duration = WallClock.microseconds - began
    let isSlow = duration > Self.slowMicroseconds && !mayLast()
    guard isSlow || logger.level <= .debug else { return }
    let fields: KeyValuePairs<LogKey, LogValue> = [
      .method: .string(request.method), .path: .string(request.target),
      .durationMicroseconds: .int(Int(duration)),
    ]
    if isSlow {
      logger.info("slow request", fields)
    } else {
      logger.debug("request handled", fields)
    }
  }

  /// A request gets an error for its answer. One that apps see every day, such as a missing document, is for debugging only.
  func failed(_ request: HTTPRequestHead, _ error: FirestoreError) {
    switch error.code {
    case .notFound, .alreadyExists, .aborted, .cancelled:
      refused(request, error.code.name.description, error.message, at: .debug)
    case .invalidArgument, .permissionDenied, .unauthenticated, .failedPrecondition, .outOfRange,
      .resourceExhausted, .deadlineExceeded, .unimplemented, .unavailable:
      refused(request, error.code.name.description, error.message, at: .info)
    case .unknown, .internalError, .dataLoss:
      refused(request, error.code.name.description, error.message, at: .error)
    }
  }

  /// The same for a call of gRPC.
  func failed(_ request: HTTPRequestHead, _ status: GRPCStatus) {
    let code = FirestoreError.Code(rawValue: status.code.rawValue) ?? .unknown
    failed(request, FirestoreError(code, status.message))
  }

  /// The same for a request to Cloud Storage.
  func failed(_ request: HTTPRequestHead, _ error: StorageError) {
    let level: LogLevel =
      switch error.code {
      case .notFound, .conflict, .interrupted, .failedPrecondition: .debug
      case .invalidArgument, .permissionDenied, .retained, .notImplemented: .info
      case .full, .internalError: .error
      }
    refused(request, "\(error.code)", error.message, at: level)
  }

  private func refused(
    _ request: HTTPRequestHead, _ code: String, _ reason: String, at level: LogLevel
  ) {
    guard logger.level <= level else { return }
    let fields: KeyValuePairs<LogKey, LogValue> = [
      .method: .string(request.method), .path: .string(request.target), .code: .string(code),
      .reason: .string(reason),
    ]
    switch level {
    case .error: logger.error("request failed", fields)
    case .info, .warning: logger.info("request refused", fields)
    case .debug, .trace: logger.debug("request refused", fields)
    }
  }
}
