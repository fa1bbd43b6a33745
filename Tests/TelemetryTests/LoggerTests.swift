import Synchronization
import Telemetry
import Testing

@Suite struct LoggerTests {
  /// Collects the lines of a logger.
  final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }

    func logger(_ level: LogLevel, _ format: LogFormat) -> Logger {
      Logger(level: level, format: format, now: { "T" }) { line in
        self.lines.withLock { $0.append(line) }
      }
    }
  }

  @Test("text quotes what could break a line")
  func text() {
    let lines = Lines()
    lines.logger(.trace, .text).info(
      "started", [.port: .int(8080), .path: "/a", .detail: "a \"b\"\n", .reason: ""])
    #expect(
      lines.all == ["T info started port=8080 path=/a detail=\"a \\\"b\\\"\\n\" reason=\"\"\n"])
  }

  @Test("JSON is one object a line")
  func json() {
    let lines = Lines()
    lines.logger(.trace, .json).error("failed", [.status: .int(500), .detail: "x\u{1}\\"])
    #expect(
      lines.all == [
        "{\"time\":\"T\",\"level\":\"error\",\"message\":\"failed\",\"status\":500,\"detail\":\"x\\u0001\\\\\"}\n"
      ])
  }

  @Test("a level passes itself and what is above", arguments: LogLevel.allCases)
  func levels(level: LogLevel) {
    let lines = Lines()
    let logger = lines.logger(level, .text)
    logger.trace("trace")
    logger.debug("debug")
    logger.info("info")
    logger.warning("warning")
    logger.error("error")
    let expected = LogLevel.allCases.filter { $0 >= level }
    #expect(lines.all == expected.map { "T \($0) \($0)\n" })
  }

  @Test("fields of a level that is off are not evaluated")
  func lazy() {
    func unexpected() -> LogValue {
      Issue.record("evaluated")
      return ""
    }
    Lines().logger(.info, .text).debug("x", [.detail: unexpected()])
  }
}
