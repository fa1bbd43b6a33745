import Foundation

/// The server that cases are played to.
struct Subject: Sendable {
  let host: String
  let port: Int
  /// Ours, whose error texts follow `MessageTexts`; another server's are compared as recorded.
  let isOurs: Bool

  /// The server at `HIBACHI_TEST_SUBJECT`, such as `127.0.0.1:8080`.
  static let external: Subject? = ProcessInfo.processInfo.environment["HIBACHI_TEST_SUBJECT"]
    .flatMap { address in
      let parts = address.split(separator: ":")
      guard parts.count == 2, let port = Int(parts[1]) else { return nil }
      return Subject(host: String(parts[0]), port: port, isOurs: false)
    }

  func connect() throws -> HTTPConnection {
    try HTTPConnection(host: host, port: port)
  }

  /// The text that is expected where `recorded` was recorded.
  func text(for recorded: String) -> String {
    isOurs ? MessageTexts.expected(for: recorded) : recorded
  }
}

extension Subject {
  /// Whether there is a server to play to.
  static var isThere: Bool { external != nil }

  /// The server of this test run.
  static func shared() async throws -> Subject {
    guard let external else { throw HTTPConnection.Failure(description: "no server to play to") }
    return external
  }
}
