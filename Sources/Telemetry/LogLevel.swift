/// How much a line matters; a logger drops what is below its own level.
package enum LogLevel: String, CaseIterable, Comparable, Sendable {
  /// Bytes and transitions.
  case trace
  /// One line a request.
  case debug
  /// Start, end and what else happens once.
  case info
  /// A peer or a user did something wrong.
  case warning
  /// Our fault.
  case error

  package static func < (left: LogLevel, right: LogLevel) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int {
    switch self {
    case .trace: 0
    case .debug: 1
    case .info: 2
    case .warning: 3
    case .error: 4
    }
  }
}
