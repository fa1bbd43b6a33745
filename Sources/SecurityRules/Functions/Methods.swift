internal import Coding

/// The methods of the types. The arguments have been held against the signature.
enum Methods {
  static func call(
    _ builtin: Builtin, on receiver: RulesValue, _ arguments: [RulesValue]
  ) throws(EvaluationFailure) -> RulesValue {
    switch receiver {
    case .string(let text): return string(builtin, text)
    case .bytes(let bytes): return self.bytes(builtin, bytes)
    case .list(let list): return try self.list(builtin, list, arguments)
    case .set(let set): return self.set(builtin, set, arguments)
    case .map(let map): return self.map(builtin, map, arguments)
    case .mapDiff(let diff): return keys(builtin, diff)
    case .path(let path): return .path(try bind(path, arguments))
    case .timestamp(let time): return try timestamp(builtin, time)
    case .duration(let duration):
      return .int(builtin == .durationSeconds ? duration.seconds : Int64(duration.nanos))
    case .latlng(let latitude, let longitude):
      return latlng(builtin, latitude, longitude, arguments)
    case .constraint(let constraints): return .bool(hasAny(constraints, arguments))
    case .null, .bool, .int, .float, .vector, .unknown: throw .null
    }
  }

  private static func string(_ builtin: Builtin, _ text: String) -> RulesValue {
    switch builtin {
    case .stringSize: .int(Int64(text.utf16.count))
    case .stringLower:
      .string(mapped(text) { 65...90 ~= $0 ? $0 + 32 : $0 })
    case .stringUpper:
      .string(mapped(text) { 97...122 ~= $0 ? $0 - 32 : $0 })
    case .stringTrim: .string(String(decoding: trimmed(Array(text.utf8)), as: UTF8.self))
    default: .bytes(Array(text.utf8))
    }
  }

  private static func mapped(_ text: String, _ change: (UInt8) -> UInt8) -> String {
    String(decoding: text.utf8.map(change), as: UTF8.self)
  }

  /// Without the characters up to the blank at both ends.
  static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
    guard let first = bytes.firstIndex(where: { $0 > 32 }),
      let last = bytes.lastIndex(where: { $0 > 32 })
    else { return [] }
    return Array(bytes[first...last])
  }

  private static func bytes(_ builtin: Builtin, _ bytes: [UInt8]) -> RulesValue {
    switch builtin {
    case .bytesSize:
      return .int(Int64(bytes.count))
    case .bytesToBase64:
      var text = Base64.encode(bytes, alphabet: .urlSafe)
      while text.utf8.count % 4 != 0 { text += "=" }
      return .string(text)
    default:
      let digits = Array("0123456789ABCDEF".utf8)
      return .string(
        String(
          decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self))
    }
  }

  private static func timestamp(
    _ builtin: Builtin, _ time: Timestamp
  ) throws(EvaluationFailure) -> RulesValue {
    let (day, second) = time.dayAndSecond
    let number: Int
    switch builtin {
    case .timestampYear: number = time.date.year
    case .timestampMonth: number = time.date.month
    case .timestampDay: number = time.date.day
    case .timestampHours: number = second / 3_600
    case .timestampMinutes: number = second / 60 % 60
    case .timestampSeconds: number = second % 60
    case .timestampNanos: number = Int(time.nanos)
    // 1970 began on a Thursday, the fourth day.
    case .timestampDayOfWeek: number = ((day + 3) % 7 + 7) % 7 + 1
    case .timestampDayOfYear:
      let start = Timestamp(year: time.date.year, month: 1, day: 1) ?? time
      number = day - start.dayAndSecond.day + 1
    case .timestampToMillis:
      number = Int(time.seconds) * 1_000 + Int(time.nanos) / 1_000_000
    case .timestampDateOf: return try Arithmetic.timestamp(Int128(day) * 86_400 * 1_000_000_000)
    default:
      return try Arithmetic.duration(Int128(second) * 1_000_000_000 + Int128(time.nanos))
    }
    return .int(Int64(number))
  }

  private static let earthRadius = 6_371_009.0

  private static func latlng(
    _ builtin: Builtin, _ latitude: Double, _ longitude: Double, _ arguments: [RulesValue]
  ) -> RulesValue {
    switch (builtin, arguments.first) {
    case (.latlngLatitude, _): return .float(latitude)
    case (.latlngDistance, .latlng(let otherLatitude, let otherLongitude)):
      return .float(
        earthRadius
          * Mathematics.greatCircle(latitude, longitude, otherLatitude, otherLongitude))
    default: return .float(longitude)
    }
  }

  private static func bind(
    _ path: RulesPath, _ arguments: [RulesValue]
  ) throws(EvaluationFailure) -> RulesPath {
    guard case .map(let map)? = arguments.first else { throw .null }
    let unknown = map.entries.map(\.key).filter { path.capture(named: $0) == nil }
    guard unknown.isEmpty else {
      throw EvaluationFailure(
        "Variable(s) \(unknown.joined(separator: ", ")) do not exist in the path template.")
    }
    var bound = path
    for (index, segment) in path.segments.enumerated() {
      switch segment {
      case .text: continue
      case .capture(let name, _):
        guard let value = map[name] else { continue }
        bound.segments[index] = .capture(name: name, value: try Conversions.string(value))
      case .glob(let name, _):
        guard let value = map[name] else { continue }
        let texts: [String] =
          if case .path(let inner) = value {
            inner.texts ?? []
          } else {
            [try Conversions.string(value)]
          }
        bound.segments[index] = .glob(name: name, value: texts)
      }
    }
    return bound
  }
}
