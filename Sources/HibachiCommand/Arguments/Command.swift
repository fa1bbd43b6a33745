import Hibachi

/// What the user asked for.
enum Command: Equatable {
  case start(StartOptions)
  /// Runs a program beside an emulator of its own.
  case exec([String], HibachiConfiguration)
  /// Compiles a file of rules.
  case checkRules(String)
  case clear(ServerLocation, database: String)
  case status(ServerLocation)
  case healthcheck(ServerLocation)
  case help
  case version(String)
}

/// How a server is started from the command line.
struct StartOptions: Equatable {
  /// How it says that it takes connections.
  enum ReadyForm: Equatable {
    /// As the official emulator of Firestore.
    case official
    /// As fake-gcs-server.
    case fakeGCSServer
  }

  var configuration: HibachiConfiguration
  /// A file that is told the ports.
  var portFile: String?
  /// The process with which the server ends.
  var parent: Int32?
  /// What is written before each line that says where the server is.
  var linePrefix = ""
  var readyForm = ReadyForm.official
  /// What the user should know of the arguments, a sentence each.
  var warnings: [String] = []

  init(_ configuration: HibachiConfiguration) {
    self.configuration = configuration
  }
}

/// Where a running server is looked for, and as which project.
struct ServerLocation: Equatable {
  var host: String
  var port: UInt16
  /// `nil` if nothing names one.
  var project: String?

  /// Where a server of this configuration is reached from this machine.
  init(_ configuration: HibachiConfiguration) {
    let anyAddress = ["0.0.0.0": "127.0.0.1", "::": "::1"]
    host = anyAddress[configuration.host] ?? configuration.host
    port = configuration.port
    project = configuration.project
  }
}

/// Why a command line was not understood, in one sentence.
struct UsageError: Error, Equatable {
  var message: String
  /// The exit status.
  var status: Int32 = 2

  init(_ message: String, status: Int32 = 2) {
    self.message = message
    self.status = status
  }
}
