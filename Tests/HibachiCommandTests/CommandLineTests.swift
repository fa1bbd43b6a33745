import Hibachi
import Testing

@testable import HibachiCommand

@Suite struct CommandLineTests {
  private func parse(
    _ arguments: String..., environment: [String: String] = [:],
    project: FirebaseProject = FirebaseProject()
  ) throws(UsageError) -> Command {
    try CommandLineParser(environment: { environment[$0] }, project: { project })
      .parse("/usr/bin/hibachi", arguments)
  }

  private func started(
    _ configuration: HibachiConfiguration, _ change: (inout StartOptions) -> Void = { _ in }
  ) -> Command {
    var options = StartOptions(configuration)
    change(&options)
    return .start(options)
  }

  @Test(
    "nothing is asked for", arguments: [[], ["--help"], ["start", "--help"], ["-h"], ["help"]])
  func help(arguments: [String]) throws {
    let parser = CommandLineParser(environment: { _ in nil }, project: { FirebaseProject() })
    #expect(try parser.parse("hibachi", arguments) == .help)
  }

  @Test func version() throws {
    #expect(try parse("--version") == .version("hibachi \(Emulator.version)"))
  }

  @Test("defaults")
  func defaults() throws {
    var expected = HibachiConfiguration()
    expected.storage = .folder(".hibachi", .normal)
    #expect(try parse("start") == started(expected))
  }

  @Test("both forms of a flag")
  func flags() throws {
    var expected = HibachiConfiguration()
    expected.host = "::1"
    expected.port = 9000
    expected.storage = .memory
    expected.allowedOrigins = ["https://a.example", "https://b.example"]
    expected.indexes = .always
    expected.logLevel = .debug
    expected.logFormat = .json
    let command = try parse(
      "start", "--host", "::1", "--port=9000", "--ephemeral", "--allow-origin",
      "https://a.example,https://b.example", "--log-level", "debug", "--log-format=json",
      "--indexes", "always")
    #expect(command == started(expected))
  }

  @Test("how transactions behave, and how long things last")
  func transactions() throws {
    var expected = HibachiConfiguration()
    expected.storage = .memory
    expected.concurrency = .optimistic
    expected.lockGrace = .milliseconds(50)
    expected.lockWait = .seconds(90)
    expected.retention = .seconds(7 * 86_400)
    expected.limits = .off
    let command = try parse(
      "start", "--ephemeral", "--concurrency", "optimistic", "--lock-grace=50ms", "--lock-wait",
      "90s", "--retention", "7d", "--limits=off")
    #expect(command == started(expected))
    for duration in ["", "5", "ms", "-1s", "1.5s", "1w", "99999999999999999d", "1000000d"] {
      #expect(throws: UsageError.self) { try parse("start", "--retention=\(duration)") }
    }
  }

  @Test("a flag wins over the environment, which wins over the default")
  func environment() throws {
    var expected = HibachiConfiguration()
    expected.port = 9000
    expected.storage = .folder("d", .full)
    expected.logLevel = .error
    let command = try parse(
      "start", "--port", "9000", "--durability", "full", "--data-dir=d",
      environment: ["HIBACHI_PORT": "1", "HIBACHI_LOG_LEVEL": "error", "HIBACHI_HOST": ""])
    #expect(command == started(expected))
  }

  @Test(
    "what is not understood is said in one sentence",
    arguments: [
      ["serve"], ["start", "--bogus"], ["start", "--port"], ["start", "--port", "x"],
      ["start", "--port", "65536"], ["start", "--log-level", "loud"], ["start", "extra"],
      ["start", "--ephemeral=maybe"], ["start", "--durability", "some"], ["exec", "ls"],
      ["exec", "--"], ["clear", "--ephemeral"], ["start", "--parent-pid", "-1"],
      ["healthcheck", "--database", "x"],
      ["start", "--indexes=sometimes"],
    ])
  func usage(arguments: [String]) throws {
    let error = #expect(throws: UsageError.self) {
      try CommandLineParser(environment: { _ in nil }, project: { FirebaseProject() })
        .parse("hibachi", arguments)
    }
    let message = try #require(error?.message)
    #expect(message.hasSuffix(".") && !message.contains("\n"))
  }

  @Test("what only start knows")
  func startAlone() throws {
    var expected = HibachiConfiguration()
    expected.storage = .folder(".hibachi", .normal)
    expected.storagePort = nil
    let command = try parse("start", "--port-file=f", "--parent-pid", "7", "--no-storage")
    #expect(
      command
        == started(expected) {
          $0.portFile = "f"
          $0.parent = 7
        })
  }

  @Test("exec takes free ports, keeps nothing and knows a project")
  func exec() throws {
    var expected = HibachiConfiguration.ephemeral
    expected.project = "demo-hibachi"
    let command = try parse(
      "exec", "--", "env", "--help", environment: ["HIBACHI_PORT": "1", "HIBACHI_DATA_DIR": "d"])
    #expect(command == .exec(["env", "--help"], expected))
    expected.project = "p"
    expected.storage = .folder("d", .normal)
    expected.port = 5
    let other = try parse(
      "exec", "--data-dir", "d", "--port=5", "--", "env", environment: ["GCLOUD_PROJECT": "p"])
    #expect(other == .exec(["env"], expected))
  }

  @Test("a running server is looked for where it would listen")
  func location() throws {
    var configuration = HibachiConfiguration()
    configuration.port = 9000
    configuration.project = "p"
    let environment = ["HIBACHI_HOST": "0.0.0.0", "HIBACHI_PORT": "9000", "GCLOUD_PROJECT": "p"]
    #expect(
      try parse("clear", "--database=d", environment: environment)
        == .clear(ServerLocation(configuration), database: "d"))
    configuration.project = "q"
    #expect(
      try parse("status", "--project", "q", environment: environment)
        == .status(ServerLocation(configuration)))
    #expect(
      try parse("healthcheck", "--project", "q", environment: environment)
        == .healthcheck(ServerLocation(configuration)))
  }

  @Test("flags and variables win over the Firebase files")
  func firebaseFiles() throws {
    var project = FirebaseProject()
    project.identifier = "app"
    project.firestore = .init(host: "0.0.0.0", port: 8181)
    project.storage = .init(host: "127.0.0.2", port: 9200)
    var expected = HibachiConfiguration()
    expected.storage = .folder(".hibachi", .normal)
    expected.project = "app"
    expected.host = "0.0.0.0"
    expected.port = 9000
    expected.storageHost = "127.0.0.2"
    expected.storagePort = 9300
    let command = try parse(
      "start", "--port", "9000", environment: ["HIBACHI_STORAGE_PORT": "9300"], project: project)
    #expect(command == started(expected))
  }
}
