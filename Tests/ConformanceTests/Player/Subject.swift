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

/// Where a server of ours keeps what it is told.
enum Place: CaseIterable {
  case memory
  case folder
}

extension Subject {
  /// Where the servers of this test run keep their documents; of one that is named nobody knows.
  static let places = external == nil ? Place.allCases : [.memory]

  /// A server of this test run: the one that is named, or one of our own on a free port.
  static func shared(_ place: Place) async throws -> Subject {
    if let external { return external }
    let port =
      switch place {
      case .memory: try await inMemory.value.port
      case .folder: try await onDisk.value.port
      }
    return Subject(host: "127.0.0.1", port: Int(port), isOurs: true)
  }

  private static let inMemory = start(.memory)
  private static let onDisk = start(.folder(emptyFolder(), .normal))

  /// In the build folder, where the next run finds it again.
  private static func emptyFolder() -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let folder = root.appending(path: ".build/conformance").path
    try? FileManager.default.removeItem(atPath: folder)
    return folder
  }

  /// Starts with the first case and serves until the process ends.
  private static func start(
    _ storage: HibachiConfiguration.Storage
  ) -> Task<Emulator, any Error> {
    // Nobody cancels it: it ends when the emulator serves.
    Task {
      var configuration = HibachiConfiguration()
      configuration.port = 0
      configuration.storagePort = 0
      configuration.storage = storage
      configuration.logLevel = .error
      let emulator = Emulator(configuration)
      try await emulator.start()
      return emulator
    }
  }
}
