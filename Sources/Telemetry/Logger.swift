/// Writes structured lines: `logger.debug("commit applied", [.database: .string(name), .writes: .int(count)])`.
///
/// Messages are constant; what varies goes into the fields, which are not evaluated if the level is off.
package struct Logger: Sendable {
  /// Lines below it are dropped.
  package let level: LogLevel
  private let format: LogFormat
  private let now: @Sendable () -> String
  private let sink: @Sendable (String) -> Void

  /// `now` gives the time as it shall be written, such as RFC 3339; `sink` takes each line with its newline and is
  /// called from any thread.
  package init(
    level: LogLevel, format: LogFormat, now: @escaping @Sendable () -> String,
    sink: @escaping @Sendable (String) -> Void
  ) {
    self.level = level
    self.format = format
    self.now = now
    self.sink = sink
  }

  /// A logger that writes nothing.
  package static let disabled = Logger(level: .error, format: .text, now: { "" }, sink: { _ in })

  package func trace(
    _ message: StaticString, _ fields: @autoclosure () -> KeyValuePairs<LogKey, LogValue> = [:]
  ) {
    if level <= .trace { write(.trace, message, fields()) }
  }

  package func debug(
    _ message: StaticString, _ fields: @autoclosure () -> KeyValuePairs<LogKey, LogValue> = [:]
  ) {
    if level <= .debug { write(.debug, message, fields()) }
  }

  package func info(
    _ message: StaticString, _ fields: @autoclosure () -> KeyValuePairs<LogKey, LogValue> = [:]
  ) {
    if level <= .info { write(.info, message, fields()) }
  }

  package func warning(
    _ message: StaticString, _ fields: @autoclosure () -> KeyValuePairs<LogKey, LogValue> = [:]
  ) {
    if level <= .warning { write(.warning, message, fields()) }
  }

  package func error(
    _ message: StaticString, _ fields: @autoclosure () -> KeyValuePairs<LogKey, LogValue> = [:]
  ) {
    write(.error, message, fields())
  }

  private func write(
    _ level: LogLevel, _ message: StaticString, _ fields: KeyValuePairs<LogKey, LogValue>
  ) {
    sink(format.line(time: now(), level: level, message: message.description, fields: fields))
  }
}
