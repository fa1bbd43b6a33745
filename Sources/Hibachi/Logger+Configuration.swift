internal import Coding
internal import NetIO
internal import Telemetry

extension Logger {
  /// The logger of an emulator: lines go to standard error, times are UTC.
  init(_ configuration: HibachiConfiguration) {
    self.init(
      level: LogLevel(configuration.logLevel), format: LogFormat(configuration.logFormat),
      now: { Timestamp(microseconds: WallClock.microseconds).rfc3339 },
      sink: StandardStream.error.write)
  }
}

extension LogLevel {
  fileprivate init(_ level: HibachiConfiguration.LogLevel) {
    self =
      switch level {
      case .trace: .trace
      case .debug: .debug
      case .info: .info
      case .warning: .warning
      case .error: .error
      }
  }
}

extension LogFormat {
  fileprivate init(_ format: HibachiConfiguration.LogFormat) {
    self =
      switch format {
      case .text: .text
      case .json: .json
      }
  }
}
