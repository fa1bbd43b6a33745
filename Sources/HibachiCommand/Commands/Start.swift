import Hibachi
import NetIO

/// Runs an emulator until it is asked to end.
nonisolated func start(_ options: StartOptions) async throws {
  let emulator = Emulator(options.configuration)
  for warning in options.warnings { emulator.warn(warning) }
  var portFileError: FileError?
  try await emulator.start(endsOnSignals: true) {
    do throws(FileError) {
      if let file = options.portFile { try FileSystem.replace(file, with: emulator.portLines) }
    } catch {
      portFileError = error
    }
    let lines = emulator.readyLines(options.readyForm)
      .split(separator: "\n", omittingEmptySubsequences: false)
    StandardStream.output.write(lines.map { options.linePrefix + $0 + "\n" }.joined())
  }
  if let portFileError {
    await emulator.stop()
    throw portFileError
  }
  if let parent = options.parent {
    try await endTogether(emulator, with: parent)
  } else {
    await emulator.run()
  }
  if let file = options.portFile { try FileSystem.remove(file) }
}

extension Emulator {
  /// What `--port-file` gets: the port of Firestore, and in a second line that of Storage.
  fileprivate var portLines: String {
    storagePort == 0 ? "\(port)\n" : "\(port)\n\(storagePort)\n"
  }

  /// Where the server is, in the words of the emulator that it stands for.
  fileprivate func readyLines(_ form: StartOptions.ReadyForm) -> String {
    switch form {
    case .official: officialLines
    case .fakeGCSServer: "level=INFO msg=\"server started at http://\(storageAddress)\""
    }
  }

  /// Scripts wait for the last line.
  private var officialLines: String {
    let storage =
      storageAddress.isEmpty
      ? ""
      : """
      Storage endpoint: http://\(storageAddress)

         export FIREBASE_STORAGE_EMULATOR_HOST=\(storageAddress)
         export STORAGE_EMULATOR_HOST=http://\(storageAddress)


      """
    return """
      \(storage)API endpoint: http://\(address)
      If you are using a library that supports the FIRESTORE_EMULATOR_HOST environment variable, run:

         export FIRESTORE_EMULATOR_HOST=\(address)

      Dev App Server is now running.
      """
  }
}

/// Runs the emulator until it ends or the process `parent` has.
nonisolated private func endTogether(_ emulator: Emulator, with parent: Int32) async throws {
  let loop = try EventLoop()
  await withTaskGroup { tasks in
    tasks.addTask {
      while ProcessEnvironment.isRunning(parent) {
        guard (try? await loop.sleep(for: .milliseconds(500))) != nil else { return }
      }
      emulator.beginGracefulShutdown()
    }
    await emulator.run()
    tasks.cancelAll()
  }
  await loop.shutdown()
}
