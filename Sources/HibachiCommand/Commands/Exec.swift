import Hibachi
import NetIO
import Synchronization

/// Runs a command beside an emulator of its own, whose addresses it finds in its environment.
///
/// - Returns: the exit status of the command; 128 and the signal if one killed it, as shells say it; 126 or 127 if it cannot be run.
nonisolated func exec(
  _ command: [String], _ configuration: HibachiConfiguration
) async throws -> Int32 {
  let loop = try EventLoop()
  let relay = SignalRelay()
  let signals = try await SignalWatcher.watch(
    ProcessSignal.allCases, on: loop, relay.pass)
  let emulator = try await Emulator.start(configuration)
  let status: Int32
  do throws(NetIOError) {
    let child = try await ChildProcess.start(
      command, environment: emulator.environment(of: configuration.project ?? ""), on: loop)
    relay.begin(child)
    status =
      switch await child.end() {
      case .exited(let status): status
      case .killed(let signal): 128 + signal
      }
  } catch {
    StandardStream.error.write("Cannot run \(command[0]): \(error.message).\n")
    status = error.code == .notFound ? 127 : 126
  }
  await emulator.stop()
  signals.stop()
  await loop.shutdown()
  return status
}

/// Passes signals on to the command, also those that come before it runs.
private final class SignalRelay: Sendable {
  private struct State {
    var child: ChildProcess?
    var early: [ProcessSignal] = []
  }

  private let state = Mutex(State())

  func pass(_ signal: ProcessSignal) {
    // Ctrl-C and Ctrl-\ on a terminal go to everything that runs there: the command has them already.
    if [.interrupt, .quit].contains(signal), ProcessEnvironment.isTerminal(0) { return }
    let child = state.withLock { state in
      if state.child == nil { state.early.append(signal) }
      return state.child
    }
    child?.send(signal)
  }

  func begin(_ child: ChildProcess) {
    let early = state.withLock { state in
      state.child = child
      return state.early
    }
    for signal in early { child.send(signal) }
  }
}

extension Emulator {
  /// The environment of this process with what Google's and Firebase's libraries look for.
  fileprivate func environment(of project: String) -> [String: String] {
    var variables = ProcessEnvironment.variables
    variables["FIRESTORE_EMULATOR_HOST"] = address
    variables["GCLOUD_PROJECT"] = project
    variables["GOOGLE_CLOUD_PROJECT"] = project
    variables["FIREBASE_CONFIG"] =
      #"{"projectId":"\#(project)","storageBucket":"\#(project).appspot.com"}"#
    let hasStorage = !storageAddress.isEmpty
    variables["FIREBASE_STORAGE_EMULATOR_HOST"] = hasStorage ? storageAddress : nil
    variables["STORAGE_EMULATOR_HOST"] = hasStorage ? "http://\(storageAddress)" : nil
    return variables
  }
}
