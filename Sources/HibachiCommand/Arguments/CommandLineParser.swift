import Hibachi

/// Reads what the program was called with. Called by the name of another emulator, it understands that one's arguments.
struct CommandLineParser {
  /// The value of a variable of the environment.
  let environment: (String) -> String?
  /// What the Firebase files of the folder say.
  let project: () throws(UsageError) -> FirebaseProject

  /// `name` is how the program was called, `arguments` what stands behind.
  func parse(_ name: String, _ arguments: [String]) throws(UsageError) -> Command {
    switch name.split(separator: "/").last {
    case "gcloud": try parseGcloud(arguments)
    case "cloud_firestore_emulator": try parseOfficial(arguments)
    case "fake-gcs-server": try parseFakeGCSServer(arguments)
    default: try parseOwn(arguments)
    }
  }

  private func parseOwn(_ arguments: [String]) throws(UsageError) -> Command {
    let rest = Array(arguments.dropFirst())
    if rest.prefix(while: { $0 != "--" }).contains(where: { ["--help", "-h"].contains($0) }) {
      return .help
    }
    switch arguments.first {
    case nil, "help", "--help", "-h": return .help
    case "version", "--version": return .version("hibachi \(Emulator.version)")
    case "start": return try parseStart(rest)
    case "exec": return try parseExec(rest)
    case "rules":
      guard rest.count == 2, rest[0] == "check" else {
        throw UsageError("Rules are checked with \"hibachi rules check FILE\".")
      }
      return .checkRules(rest[1])
    case "clear":
      var database = "(default)"
      let location = try parseLocation(rest, also: ["--database": { database = $0 }])
      return .clear(location, database: database)
    case "status": return .status(try parseLocation(rest))
    case "healthcheck": return .healthcheck(try parseLocation(rest))
    case let unknown?:
      throw UsageError("Unknown command \"\(unknown)\"; \"hibachi --help\" lists what there is.")
    }
  }

  private func parseStart(_ arguments: [String]) throws(UsageError) -> Command {
    var portFile: String?
    var parent: String?
    let project = try self.project()
    let configuration = try configuration(
      arguments, project, storage: .folder(".hibachi", .normal),
      also: ["--port-file": { portFile = $0 }, "--parent-pid": { parent = $0 }])
    var options = StartOptions(configuration)
    options.portFile = portFile
    if let parent { options.parent = try Flag.number(parent, "--parent-pid") }
    return .start(options)
  }

  private func parseExec(_ arguments: [String]) throws(UsageError) -> Command {
    guard let separator = arguments.firstIndex(of: "--"), separator + 1 < arguments.count else {
      throw UsageError("exec needs a command behind \"--\", such as hibachi exec -- npm test.")
    }
    var project = try self.project()
    project.firestore.port = nil
    project.storage.port = nil
    var configuration = try configuration(
      Array(arguments[..<separator]), project, storage: .memory, base: .ephemeral,
      withoutVariables: [.host, .port, .storagePort])
    configuration.project = configuration.project ?? environmentProject ?? "demo-hibachi"
    return .exec(Array(arguments[(separator + 1)...]), configuration)
  }

  private func parseLocation(
    _ arguments: [String], also others: [String: (String) -> Void] = [:]
  ) throws(UsageError) -> ServerLocation {
    var configuration = try configuration(
      arguments, project(), storage: .memory, also: others, onlyFlags: [.host, .port, .project])
    configuration.project = configuration.project ?? environmentProject
    return ServerLocation(configuration)
  }

  /// The project that Google's own libraries would take.
  private var environmentProject: String? {
    environment("GCLOUD_PROJECT") ?? environment("GOOGLE_CLOUD_PROJECT")
  }

  /// Flags win over variables, those over the Firebase files, those over `base`. `others` are flags with a value that are not of
  /// the configuration.
  private func configuration(
    _ arguments: [String], _ project: FirebaseProject, storage: HibachiConfiguration.Storage,
    base: HibachiConfiguration = HibachiConfiguration(),
    also others: [String: (String) -> Void] = [:], onlyFlags: [Flag] = Flag.allCases,
    withoutVariables: [Flag] = []
  ) throws(UsageError) -> HibachiConfiguration {
    var given: [Flag: String] = [:]
    var reader = ArgumentReader(arguments)
    while let (name, value) = reader.next() {
      if let take = others[name] {
        take(try reader.value(of: name, value))
      } else if let flag = Flag(rawValue: name), onlyFlags.contains(flag) {
        given[flag] =
          flag.isSwitch
          ? String(try reader.isOn(name, value)) : try reader.value(of: name, value)
      } else {
        throw UsageError("Unknown flag \"\(name)\"; \"hibachi --help\" lists what there is.")
      }
    }
    var configuration = base
    configuration.storage = storage
    project.apply(to: &configuration)
    if given[.dataDirectory] != nil, case .memory = storage {
      configuration.storage = .folder("", .normal)
    }
    for flag in onlyFlags {
      if let value = given[flag] {
        try flag.apply(value, to: &configuration, source: flag.rawValue)
      } else if !withoutVariables.contains(flag), let value = environment(flag.environmentName),
        !value.isEmpty
      {
        try flag.apply(value, to: &configuration, source: flag.environmentName)
      }
    }
    if onlyFlags.contains(.rules) { try project.applyTargets(to: &configuration) }
    return configuration
  }
}
