import Hibachi

// What Google's tools are called with, as container images, test libraries and scripts do. Such a server keeps nothing and serves
// Cloud Firestore alone, unless it is told otherwise.

extension CommandLineParser {
  /// `gcloud [beta] emulators firestore start --host-port=HOST:PORT …`, words and flags in any order.
  func parseGcloud(_ arguments: [String]) throws(UsageError) -> Command {
    var words: [String] = []
    var options = StartOptions(borrowed)
    options.linePrefix = "[firestore] "
    var reader = ArgumentReader(arguments)
    while let (name, value) = reader.next() {
      switch name {
      case "--version": return .version("hibachi \(Emulator.version), in place of gcloud")
      case "--help", "-h": return .help
      case "--host-port":
        try setHostPort(try reader.value(of: name, value), &options.configuration)
      case "--quiet", "-q", "--no-user-output-enabled": break
      case "--verbosity", "--log-http", "--account", "--configuration", "--format":
        _ = try reader.value(of: name, value)
      default:
        if name.hasPrefix("-") {
          try applyShared(name, value, &reader, &options)
        } else {
          words.append(name)
        }
      }
    }
    if ["alpha", "beta"].contains(words.first) { words.removeFirst() }
    guard words == ["emulators", "firestore", "start"] else {
      throw UsageError(
        "As gcloud this program knows \"gcloud emulators firestore start\" alone, not \"\(words.joined(separator: " "))\"."
      )
    }
    return .start(options)
  }

  /// `cloud_firestore_emulator [start] --host=… --port=…`, the flags of the official emulator.
  func parseOfficial(_ arguments: [String]) throws(UsageError) -> Command {
    var options = StartOptions(borrowed)
    var isSingleProject = false
    var reader = ArgumentReader(arguments)
    while let (name, value) = reader.next() {
      switch name {
      case "start": break
      case "--version":
        return .version("cloud-firestore-emulator 1.19.9 (hibachi \(Emulator.version))")
      case "--help", "-h": return .help
      case "--host": options.configuration.host = try reader.value(of: name, value)
      case "--port":
        options.configuration.port = try Flag.number(try reader.value(of: name, value), name)
      case "--project_id": options.configuration.project = try reader.value(of: name, value)
      case "--single_project_mode": isSingleProject = try reader.isOn(name, value)
      case "--single_project_mode_error":
        options.configuration.refusesOtherProjects = try reader.isOn(name, value)
      case "--websocket_port", "--webchannel_port": _ = try reader.value(of: name, value)
      case "--licenses": break
      default: try applyShared(name, value, &reader, &options)
      }
    }
    if isSingleProject, options.configuration.project == nil {
      throw UsageError("Expected project_id to be set for single_project_mode", status: 1)
    }
    if !isSingleProject, !options.configuration.refusesOtherProjects {
      options.configuration.project = nil
    }
    return .start(options)
  }

  /// What both tools take.
  private func applyShared(
    _ name: String, _ value: String?, _ reader: inout ArgumentReader, _ options: inout StartOptions
  ) throws(UsageError) {
    switch name {
    // The project is what a client of gcloud's would work in; its emulator serves all of them.
    case "--project": _ = try reader.value(of: name, value)
    case Flag.dataDirectory.rawValue:
      options.configuration.storage = .folder(try reader.value(of: name, value), .normal)
    case "--database-mode", "--database-edition", "--edition":
      let value = try reader.value(of: name, value)
      guard !["firestore-native", "standard"].contains(value) else { return }
      options.warnings.append(
        "\(name)=\(value) is not supported: Firestore in native mode is served.")
    case Flag.rules.rawValue:
      options.configuration.rulesFile = try reader.value(of: name, value)
    case "--seed_from_export", "--import-data", "--export-on-exit", "--export-name",
      "--functions_emulator":
      _ = try reader.value(of: name, value)
      options.warnings.append("\(name) is not supported yet and has no effect.")
    default:
      options.warnings.append("Unknown flag \"\(name)\", which has no effect.")
    }
  }

  /// A server under a borrowed name.
  private var borrowed: HibachiConfiguration {
    var configuration = HibachiConfiguration()
    configuration.storagePort = nil
    if let folder = environment(Flag.dataDirectory.environmentName), !folder.isEmpty {
      configuration.storage = .folder(folder, .normal)
    }
    return configuration
  }

  /// `HOST:PORT`, `HOST`, `:PORT` or `[::1]:PORT`; what is missing stays.
  private func setHostPort(
    _ text: String, _ configuration: inout HibachiConfiguration
  ) throws(UsageError) {
    var host = text[...]
    if let colon = text.lastIndex(of: ":"), !text[colon...].contains("]") {
      host = text[..<colon]
      let port = String(text[text.index(after: colon)...])
      if !port.isEmpty { configuration.port = try Flag.number(port, "--host-port") }
    }
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    if !host.isEmpty { configuration.host = String(host) }
  }
}
