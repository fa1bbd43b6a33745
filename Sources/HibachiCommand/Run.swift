import Hibachi
import NetIO

/// Does what the arguments ask for.
///
/// - Returns: the exit status: 0, 1 if the emulator could not start, 2 if the arguments were not understood.
nonisolated func run(_ arguments: [String]) async -> Int32 {
  do {
    switch try CommandLineParser(environment: ProcessEnvironment.variable).parse(arguments) {
    case .help: StandardStream.output.write(helpText)
    case .version: StandardStream.output.write("hibachi \(Emulator.version)\n")
    case .start(let configuration): try await serve(configuration)
    }
    return 0
  } catch let error as UsageError {
    StandardStream.error.write(error.message + "\n")
    return 2
  } catch {
    StandardStream.error.write("\(error)\n")
    return 1
  }
}

/// Runs an emulator until it is asked to end.
nonisolated private func serve(_ configuration: HibachiConfiguration) async throws(EmulatorError) {
  let emulator = Emulator(configuration)
  try await emulator.start(endsOnSignals: true) {
    let address = emulator.address
    // Scripts wait for the line before the last.
    StandardStream.output.write(
      """
      API endpoint: http://\(address)
      If you are using a library that supports the FIRESTORE_EMULATOR_HOST environment variable, run:

         export FIRESTORE_EMULATOR_HOST=\(address)

      Dev App Server is now running.
      Storage endpoint: http://\(emulator.storageAddress)

      """)
  }
  await emulator.run()
}
