internal import Coding

/// The methods of what is no collection.
extension Overload {
  static let methodsOfStrings: [Overload] = [
    Overload("size", .string, gives: .int) { .int(Int64($0.utf16.count)) },
    Overload("lower", .string, gives: .string) { text in
      .string(mapped(text) { 65...90 ~= $0 ? $0 + 32 : $0 })
    },
    Overload("upper", .string, gives: .string) { text in
      .string(mapped(text) { 97...122 ~= $0 ? $0 - 32 : $0 })
    },
    Overload("trim", .string, gives: .string) { .string(Conversions.trimmed($0)) },
    Overload(
      "matches", [.string, .string], gives: .bool,
      .pattern { text, pattern, _ in .bool(pattern.matchesWhole(text)) }),
    Overload(
      "replace", [.string, .string, .string], gives: .string, .pattern(PatternText.replace)),
    Overload("split", [.string, .string], gives: .list, .pattern(PatternText.split)),
    Overload("toUtf8", .string, gives: .bytes) { .bytes(Array($0.utf8)) },
  ]

  private static func mapped(_ text: String, _ change: (UInt8) -> UInt8) -> String {
    String(decoding: text.utf8.map(change), as: UTF8.self)
  }

  static let methodsOfBytes: [Overload] = [
    Overload("size", .bytes, gives: .int) { .int(Int64($0.count)) },
    Overload("toBase64", .bytes, gives: .string) { bytes in
      let text = Base64.encode(bytes, alphabet: .urlSafe)
      return .string(text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
    },
    Overload("toHexString", .bytes, gives: .string) { bytes in
      let digits = Array("0123456789ABCDEF".utf8)
      return .string(
        String(
          decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self))
    },
  ]

  // MARK: Paths

  static let methodsOfPaths: [Overload] = [
    Overload("bind", .path, .map, gives: .path, bind)
  ]

  private static func bind(
    _ path: RulesPath, _ map: RulesMap
  ) throws(EvaluationFailure) -> RulesValue {
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
    return .path(bound)
  }

  // MARK: Times and places

  static let methodsOfTimestamps: [Overload] = [
    part("year", \.date.year), part("month", \.date.month), part("day", \.date.day),
    part("hours") { $0.dayAndSecond.second / 3_600 },
    part("minutes") { $0.dayAndSecond.second / 60 % 60 },
    part("seconds") { $0.dayAndSecond.second % 60 }, part("nanos") { Int($0.nanos) },
    // 1970 began on a Thursday, the fourth day.
    part("dayOfWeek") { (($0.dayAndSecond.day + 3) % 7 + 7) % 7 + 1 },
    part("dayOfYear") { time in
      let start = Timestamp(year: time.date.year, month: 1, day: 1) ?? time
      return time.dayAndSecond.day - start.dayAndSecond.day + 1
    },
    part("toMillis") { Int($0.seconds) * 1_000 + Int($0.nanos) / 1_000_000 },
    Overload("date", .timestamp, gives: .timestamp) { time throws(EvaluationFailure) in
      try Arithmetic.timestamp(Int128(time.dayAndSecond.day) * 86_400 * 1_000_000_000)
    },
    Overload("time", .timestamp, gives: .duration) { time throws(EvaluationFailure) in
      try Arithmetic.duration(
        Int128(time.dayAndSecond.second) * 1_000_000_000 + Int128(time.nanos))
    },
  ]

  private static func part(
    _ name: String, _ number: @escaping @Sendable (Timestamp) -> Int
  ) -> Overload {
    Overload(name, .timestamp, gives: .int) { .int(Int64(number($0))) }
  }

  static let methodsOfDurations: [Overload] = [
    Overload("seconds", .duration, gives: .int) { .int($0.seconds) },
    Overload("nanos", .duration, gives: .int) { .int(Int64($0.nanos)) },
  ]

  private static let earthRadius = 6_371_009.0

  static let methodsOfPlaces: [Overload] = [
    Overload("latitude", .latlng, gives: .float) { .float($0.latitude) },
    Overload("longitude", .latlng, gives: .float) { .float($0.longitude) },
    Overload("distance", .latlng, .latlng, gives: .float) { here, there in
      let angle = Mathematics.greatCircle(
        here.latitude, here.longitude, there.latitude, there.longitude)
      return .float(earthRadius * angle)
    },
  ]
}
