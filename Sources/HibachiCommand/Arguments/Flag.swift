import Hibachi

/// The flags that set up a server.
enum Flag: String, CaseIterable {
  case host = "--host"
  case port = "--port"
  case project = "--project"
  case storagePort = "--storage-port"
  case noStorage = "--no-storage"
  case storageKey = "--storage-key"
  case dataDirectory = "--data-dir"
  case durability = "--durability"
  /// Behind the two before it, as it wins over them.
  case ephemeral = "--ephemeral"
  case indexes = "--indexes"
  case retention = "--retention"
  case concurrency = "--concurrency"
  case lockGrace = "--lock-grace"
  case lockWait = "--lock-wait"
  case limits = "--limits"
  case rules = "--rules"
  case storageRules = "--storage-rules"
  case allowOrigin = "--allow-origin"
  case logLevel = "--log-level"
  case logFormat = "--log-format"

  /// `HIBACHI_LOG_LEVEL` of `--log-level`.
  var environmentName: String {
    "HIBACHI_" + String(rawValue.dropFirst(2).uppercased().map { $0 == "-" ? "_" : $0 })
  }

  /// Stands for itself, without a value.
  var isSwitch: Bool {
    switch self {
    case .ephemeral, .noStorage: true
    case .host, .port, .project, .storagePort, .storageKey, .dataDirectory, .durability, .indexes,
      .retention, .concurrency, .lockGrace, .lockWait, .limits, .rules, .storageRules,
      .allowOrigin, .logLevel, .logFormat:
      false
    }
  }

  /// Sets what the flag is about; `source` is what the user wrote it as.
  func apply(
    _ value: String, to configuration: inout HibachiConfiguration, source: String
  ) throws(UsageError) {
    switch self {
    case .host: configuration.host = value
    case .port: configuration.port = try Self.number(value, source)
    case .project: configuration.project = value
    case .storagePort: configuration.storagePort = try Self.number(value, source)
    case .noStorage:
      if try isOn(value, source) { configuration.storagePort = nil }
    case .storageKey: configuration.storageKeyFile = value
    case .dataDirectory:
      if case .folder(_, let durability) = configuration.storage {
        configuration.storage = .folder(value, durability)
      }
    case .durability:
      if case .folder(let folder, _) = configuration.storage {
        configuration.storage = .folder(folder, try choice(value, source))
      }
    case .ephemeral:
      if try isOn(value, source) { configuration.storage = .memory }
    case .indexes: configuration.indexes = try choice(value, source)
    case .retention: configuration.retention = try duration(value, source)
    case .concurrency: configuration.concurrency = try choice(value, source)
    case .lockGrace: configuration.lockGrace = try duration(value, source)
    case .lockWait: configuration.lockWait = try duration(value, source)
    case .limits: configuration.limits = try choice(value, source)
    case .rules: configuration.rulesFile = value
    case .storageRules: configuration.storageRules = .file(value)
    case .allowOrigin:
      configuration.allowedOrigins = value.split(separator: ",").map(String.init)
    case .logLevel: configuration.logLevel = try choice(value, source)
    case .logFormat: configuration.logFormat = try choice(value, source)
    }
  }

  private func isOn(_ value: String, _ source: String) throws(UsageError) -> Bool {
    guard let isOn = Bool(value) else {
      throw UsageError("\(source) must be true or false, not \"\(value)\".")
    }
    return isOn
  }

  /// Reads a port or the like.
  static func number<Number: FixedWidthInteger>(
    _ value: String, _ source: String
  ) throws(UsageError) -> Number {
    guard let number = Number(value), number >= 0 else {
      throw UsageError("\(source) must be a number from 0 to \(Number.max), not \"\(value)\".")
    }
    return number
  }

  private func duration(_ value: String, _ source: String) throws(UsageError) -> Duration {
    guard let duration = Duration(text: value) else {
      throw UsageError(
        "\(source) must be a number with one of ms, s, m, h and d, such as 200ms, not \"\(value)\"."
      )
    }
    return duration
  }

  private func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ value: String, _ source: String
  ) throws(UsageError) -> Choice {
    guard let choice = Choice(rawValue: value) else {
      let all = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("\(source) must be one of \(all), not \"\(value)\".")
    }
    return choice
  }
}
