/// Every key that a log line can have. The raw value is what is written.
package enum LogKey: String, CaseIterable, Sendable {
  case address
  case code
  case connection
  case count
  case database
  case detail
  case durationMicroseconds = "duration_us"
  case error
  case folder
  case limit
  case method
  case path
  case port
  case project
  case protocolName = "protocol"
  case reason
  case request
  case signal
  case status
  case stream
  case version
  case writes
}

/// What a key has.
package enum LogValue: Hashable, Sendable {
  case string(String)
  case int(Int)
  case bool(Bool)
}

extension LogValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  package init(stringLiteral value: String) {
    self = .string(value)
  }
}
