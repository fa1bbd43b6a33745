import Hibachi

extension CommandLineParser {
  /// What stands for each flag that is known: its variable, `FAKE_GCS_EXTERNAL_URL` of `-external-url`.
  private static let fakeGCSPrefix = "FAKE_GCS_"
  /// Those that have an effect here.
  private static let fakeGCSFlags: Set = [
    "scheme", "host", "port", "port-http", "external-url", "backend", "filesystem-root", "data",
    "log-level",
  ]
  /// Those that change nothing here: any host may be asked, and every location is served.
  private static let fakeGCSIdleFlags: Set = ["public-host", "location", "cors-headers"]

  /// `fake-gcs-server -scheme http -port 4443 …`. Such a server has Cloud Storage at the port that is named, and Cloud Firestore, which
  /// nobody asks for, at a free one of this machine.
  func parseFakeGCSServer(_ arguments: [String]) throws(UsageError) -> Command {
    var given: [String: String] = [:]
    var unknown: [String] = []
    var reader = ArgumentReader(arguments)
    while let (name, value) = reader.next() {
      let flag = String(name.drop { $0 == "-" })
      switch flag {
      case "h", "help": return .help
      case "version": return .version("hibachi \(Emulator.version), in place of fake-gcs-server")
      default:
        let hasValue = value != nil || reader.rest.first.map { !$0.hasPrefix("-") } ?? false
        if Self.fakeGCSFlags.contains(flag) || hasValue {
          given[flag] = try reader.value(of: name, value)
        }
        if !Self.fakeGCSFlags.union(Self.fakeGCSIdleFlags).contains(flag) { unknown.append(name) }
      }
    }
    for flag in Self.fakeGCSFlags where given[flag] == nil {
      let name = Self.fakeGCSPrefix + flag.uppercased().replacing("-", with: "_")
      if let value = environment(name), !value.isEmpty { given[flag] = value }
    }
    var options = try fakeGCSOptions(given)
    options.warnings += unknown.map { "Unknown flag \"\($0)\", which has no effect." }
    return .start(options)
  }

  private func fakeGCSOptions(_ given: [String: String]) throws(UsageError) -> StartOptions {
    var configuration = HibachiConfiguration()
    configuration.port = 0
    configuration.storageHost = given["host"] ?? "0.0.0.0"
    let scheme = given["scheme"] ?? "https"
    let (flag, standard) =
      scheme == "both" ? ("port-http", UInt16(8000)) : ("port", UInt16(4443))
    configuration.storagePort =
      try given[flag].map { (text) throws(UsageError) in try Flag.number(text, "-\(flag)") }
      ?? standard
    configuration.storageStyle = .fakeGCSServer
    configuration.storageURL = given["external-url"]
    configuration.storageSeed = given["data"]
    let folder = given["filesystem-root"]
    if given["backend"] != "memory",
      let folder = folder ?? given["backend"].map({ _ in "/storage" })
    {
      configuration.storage = .folder(folder, .normal)
    }
    if let level = given["log-level"].flatMap({ HibachiConfiguration.LogLevel(rawValue: $0) }) {
      configuration.logLevel = level
    }
    var options = StartOptions(configuration)
    options.readyForm = .fakeGCSServer
    if scheme != "http" {
      options.warnings.append("-scheme \(scheme) is not supported: plain HTTP is served.")
    }
    return options
  }
}
