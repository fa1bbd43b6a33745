import Foundation
import Hibachi

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

  /// The body that is expected where `recorded` was recorded.
  func body(for recorded: JSON) -> JSON {
    isOurs ? MessageTexts.expected(for: recorded) : recorded
  }
}

extension Subject {
  /// The server of this test run: the one that is named, or one of our own on a free port.
  static func shared() async throws -> Subject {
    if let external { return external }
    let port = try await own.value.port
    return Subject(host: "127.0.0.1", port: Int(port), isOurs: true)
  }

  /// Starts with the first case and serves until the process ends.
  private static let own = Task {
    var configuration = HibachiConfiguration()
    configuration.port = 0
    configuration.logLevel = .error
    let emulator = Emulator(configuration)
    try await emulator.start()
    return emulator
  }
}
