import Hibachi
import Testing

/// One thing that clients rely on, with its number in the list of what was observed.
struct AcceptanceCase: CustomTestStringConvertible, Sendable {
  let number: Int
  let title: String
  let body: @Sendable (StorageClient) async throws -> Void

  init(
    _ number: Int, _ title: String, _ body: @escaping @Sendable (StorageClient) async throws -> Void
  ) {
    self.number = number
    self.title = title
    self.body = body
  }

  var testDescription: String { "\(number): \(title)" }
}

/// Runs `body` with an emulator on free ports.
func withStorage(
  _ change: (inout HibachiConfiguration) -> Void = { _ in },
  _ body: (StorageClient) async throws -> Void
) async throws {
  var configuration = HibachiConfiguration()
  configuration.port = 0
  configuration.storagePort = 0
  configuration.logLevel = .error
  change(&configuration)
  let emulator = Emulator(configuration)
  try await emulator.start()
  let result: Result<Void, any Error>
  do {
    try await body(StorageClient(emulator))
    result = .success(())
  } catch {
    result = .failure(error)
  }
  await emulator.stop()
  try result.get()
}

/// The acceptance cases of Firebase's v0 API and of Cloud Storage, each against a server of its own.
///
/// Numbers are those of the list that the emulators of others are held to as well.
@Suite struct AcceptanceTests {
  @Test(
    "acceptance case",
    arguments: UploadCases.all + DownloadCases.all + ResumableCases.all + MetadataCases.all
      + CloudCases.all + XMLCases.all + RulesCases.all)
  func holds(_ acceptance: AcceptanceCase) async throws {
    try await withStorage { try await acceptance.body($0) }
  }
}
