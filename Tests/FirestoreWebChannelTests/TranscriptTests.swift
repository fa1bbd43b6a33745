import Hibachi
import Testing

@Suite("Recorded sessions")
struct TranscriptTests {
  @Test("A recorded client learns the same from us", arguments: Transcript.all)
  func play(_ transcript: Transcript) async throws {
    try await withEmulator { emulator in
      let port = emulator.port
      try await onThread { try TranscriptPlayer(transcript, port: port).play() }
    }
  }

  @Test func thereAreTranscripts() {
    #expect(Transcript.all.count >= 13)
  }
}

/// Runs `body` with an emulator on a free port, and stops that in the end.
func withEmulator(
  _ change: (inout HibachiConfiguration) -> Void = { _ in },
  _ body: (Emulator) async throws -> Void
) async throws {
  var configuration = HibachiConfiguration()
  configuration.port = 0
  configuration.storagePort = 0
  configuration.logLevel = .error
  change(&configuration)
  let emulator = Emulator(configuration)
  try await emulator.start()
  do {
    try await body(emulator)
  } catch {
    await emulator.stop()
    throw error
  }
  await emulator.stop()
}
