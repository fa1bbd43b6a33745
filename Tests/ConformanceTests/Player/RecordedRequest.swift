import Foundation

/// A request with everything filled in.
struct RecordedRequest: Sendable {
  var method: String
  var target: [UInt8]
  var headers: [(String, [UInt8])]
  var body: [UInt8]?
}

extension HTTPConnection {
  func exchange(_ request: RecordedRequest) throws -> Response {
    try exchange(request.method, request.target, headers: request.headers, body: request.body)
  }
}

/// A request on a connection of its own that nobody waits for until asked.
final class BackgroundRequest: Sendable {
  private let done = DispatchSemaphore(value: 0)
  private let box = Box()

  /// Written once by the thread of the request before it signals.
  private final class Box: @unchecked Sendable {
    var result: Result<HTTPConnection.Response, any Error>?
  }

  init(_ request: RecordedRequest, to subject: Subject) {
    Thread { [done, box] in
      box.result = Result { try subject.connect().exchange(request) }
      done.signal()
    }.start()
  }

  /// The answer, or `nil` when there is none within that many seconds.
  func result(within seconds: Double) -> Result<HTTPConnection.Response, any Error>? {
    guard done.wait(timeout: .now() + seconds) == .success else { return nil }
    done.signal()
    return box.result
  }
}
