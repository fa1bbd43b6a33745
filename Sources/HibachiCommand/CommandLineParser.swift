import Hibachi

/// What the user asked for on the command line and in the environment.
enum Command: Equatable {
  case start(HibachiConfiguration)
  case help
  case version
}

/// Why a command line was not understood, in one sentence.
struct UsageError: Error, Equatable {
  var message: String

  init(_ message: String) {
    self.message = message
  }
}

/// Reads arguments and environment. A flag is given as `--flag value` or `--flag=value`; the environment
/// variable `HIBACHI_FLAG` stands for one that is not given.
struct CommandLineParser {
  private let environment: (String) -> String?

  /// `environment` gives the value of a variable.
  init(environment: @escaping (String) -> String?) {
    self.environment = environment
  }

  /// `arguments` are without the name of the program.
  func parse(_ arguments: [String]) throws(UsageError) -> Command {
    guard let first = arguments.first else { return .help }
    switch first {
    case "help", "--help", "-h": return .help
    case "version", "--version": return .version
    case "start": return try parseStart(arguments.dropFirst())
    default:
      throw UsageError("Unknown command \"\(first)\"; \"hibachi --help\" lists what there is.")
    }
  }

  private func parseStart(_ arguments: ArraySlice<String>) throws(UsageError) -> Command {
    var given: [Flag: String] = [:]
    var rest = arguments
    while let argument = rest.popFirst() {
      if argument == "--help" || argument == "-h" { return .help }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let flag = Flag(rawValue: String(parts[0])) else {
        throw UsageError("Unknown flag \"\(parts[0])\"; \"hibachi --help\" lists what there is.")
      }
      if parts.count == 2 {
        given[flag] = String(parts[1])
      } else if flag.isSwitch {
        given[flag] = "true"
      } else if let value = rest.popFirst() {
        given[flag] = value
      } else {
        throw UsageError("\(flag.rawValue) needs a value.")
      }
    }
    var configuration = HibachiConfiguration()
    configuration.storage = .folder(".hibachi", .normal)
    for flag in Flag.allCases {
      if let value = given[flag] {
        try flag.apply(value, to: &configuration, source: flag.rawValue)
      } else if let value = environment(flag.environmentName), !value.isEmpty {
        try flag.apply(value, to: &configuration, source: flag.environmentName)
      }
    }
    return .start(configuration)
  }
}
