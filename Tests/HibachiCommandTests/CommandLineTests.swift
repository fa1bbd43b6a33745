import Hibachi
import Testing

@testable import HibachiCommand

@Suite struct CommandLineTests {
  private func parse(
    _ arguments: String..., environment: [String: String] = [:]
  ) throws(UsageError) -> Command {
    try CommandLineParser(environment: { environment[$0] }).parse(arguments)
  }

  @Test(
    "nothing is asked for", arguments: [[], ["--help"], ["start", "--help"], ["-h"], ["help"]])
  func help(arguments: [String]) throws {
    #expect(try CommandLineParser(environment: { _ in nil }).parse(arguments) == .help)
  }

  @Test func version() throws {
    #expect(try parse("--version") == .version)
  }

  @Test("defaults")
  func defaults() throws {
    var expected = HibachiConfiguration()
    expected.storage = .folder(".hibachi", .normal)
    #expect(try parse("start") == .start(expected))
  }

  @Test("both forms of a flag")
  func flags() throws {
    var expected = HibachiConfiguration()
    expected.host = "::1"
    expected.port = 9000
    expected.storage = .memory
    expected.allowedOrigins = ["https://a.example", "https://b.example"]
    expected.logLevel = .debug
    expected.logFormat = .json
    let command = try parse(
      "start", "--host", "::1", "--port=9000", "--ephemeral", "--allow-origin",
      "https://a.example,https://b.example", "--log-level", "debug", "--log-format=json")
    #expect(command == .start(expected))
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
    #expect(command == .start(expected))
  }

  @Test(
    "what is not understood is said in one sentence",
    arguments: [
      ["serve"], ["start", "--bogus"], ["start", "--port"], ["start", "--port", "x"],
      ["start", "--port", "65536"], ["start", "--log-level", "loud"], ["start", "extra"],
      ["start", "--ephemeral=maybe"], ["start", "--durability", "some"],
    ])
  func usage(arguments: [String]) throws {
    let error = #expect(throws: UsageError.self) {
      try CommandLineParser(environment: { _ in nil }).parse(arguments)
    }
    let message = try #require(error?.message)
    #expect(message.hasSuffix(".") && !message.contains("\n"))
  }
}
