internal import Coding

/// The functions that belong to no type.
extension Overload {
  static let functions: [Overload] =
    conversions + times + hashes + mathematics
    + DocumentFunction.allCases.map { Overload($0.rawValue, [.path], gives: .any, .lookup) }

  private static let conversions: [Overload] =
    Conversions.texts.map { type in
      Overload("string", .value(type), gives: .string) { value throws(EvaluationFailure) in
        .string(try Conversions.string(value))
      }
    } + [
      Overload("int", .int, gives: .int) { .int($0) },
      Overload("int", .float, gives: .int) { .int(Conversions.truncated($0)) },
      Overload("int", .string, gives: .int, Conversions.int),
      Overload("float", .int, gives: .float) { .float(Double($0)) },
      Overload("float", .float, gives: .float) { .float($0) },
      Overload("float", .string, gives: .float, Conversions.float),
      Overload("path", .string, gives: .path, Conversions.path),
      Overload("debug", .any, gives: .any) { $0 },
    ]

  // MARK: Times and places

  private static let times: [Overload] = [
    Overload("duration.value", .int, .string, gives: .duration) {
      count, name throws(EvaluationFailure) in
      guard let unit = units[name] else { throw .pattern(name) }
      return try Arithmetic.duration(Int128(count) * unit)
    },
    Overload("duration.time", [.int, .int, .int, .int], gives: .duration, .value(time)),
    Overload("duration.abs", .duration, gives: .duration) { span throws(EvaluationFailure) in
      try Arithmetic.duration(abs(span.total))
    },
    Overload("timestamp.date", .int, .int, .int, gives: .timestamp, date),
    Overload("timestamp.value", .int, gives: .timestamp) { milliseconds throws(EvaluationFailure) in
      try Arithmetic.timestamp(Int128(milliseconds) * 1_000_000)
    },
    Overload("timestamp.value", .string, gives: .timestamp) { text throws(EvaluationFailure) in
      guard let time = Timestamp(rfc3339: text) else { throw .timestampRange }
      return .timestamp(time)
    },
    Overload("latlng.value", .float, .float, gives: .latlng) {
      latitude, longitude throws(EvaluationFailure) in
      guard -90...90 ~= latitude, -180...180 ~= longitude else {
        throw EvaluationFailure(
          "Latitude should be in [-90,90] range and longitude should be in [-180,180] range. "
            + "latitude: \(latitude.javaText), longitude: \(longitude.javaText).")
      }
      return .latlng(latitude: latitude, longitude: longitude)
    },
  ]

  private static let units: [String: Int128] = [
    "w": 604_800_000_000_000, "d": 86_400_000_000_000, "h": 3_600_000_000_000,
    "m": 60_000_000_000, "s": 1_000_000_000, "ms": 1_000_000, "ns": 1,
  ]

  private static func time(
    _ hours: RulesValue, _ minutes: RulesValue, _ others: [RulesValue]
  ) throws(EvaluationFailure) -> RulesValue? {
    guard case .int(let hours) = hours, case .int(let minutes) = minutes, others.count == 2,
      case .int(let seconds) = others[0], case .int(let nanos) = others[1]
    else { return nil }
    let total = Int128(hours) * 3_600 + Int128(minutes) * 60 + Int128(seconds)
    return try Arithmetic.duration(total * 1_000_000_000 + Int128(nanos))
  }

  private static func date(
    _ year: Int64, _ month: Int64, _ day: Int64
  ) throws(EvaluationFailure) -> RulesValue {
    guard 1...9999 ~= year else {
      throw EvaluationFailure(
        "Timestamp should be between 0001-01-01T00.00.00Z and 9999-12-31T23.59.59Z. "
          + "year: \(year).")
    }
    guard 1...12 ~= month, 1...31 ~= day,
      let time = Timestamp(year: Int(year), month: Int(month), day: Int(day))
    else {
      throw EvaluationFailure("Date is not valid. year: \(year), month: \(month) day: \(day).")
    }
    return .timestamp(time)
  }

  // MARK: Hashes

  private static let hashes: [Overload] = [
    hash("hashing.md5", MD5.digest), hash("hashing.sha256", SHA256.digest),
    hash("hashing.crc32") { checksum(CRC32.checksum($0)) },
    hash("hashing.crc32c") { bytes in
      var state = CRC32C()
      state.update(bytes.span)
      return checksum(state.value)
    },
  ].flatMap(\.self)

  private static func hash(
    _ name: String, _ digest: @escaping @Sendable ([UInt8]) -> [UInt8]
  ) -> [Overload] {
    [
      Overload(name, .bytes, gives: .bytes) { .bytes(digest($0)) },
      Overload(name, .string, gives: .bytes) { .bytes(digest(Array($0.utf8))) },
    ]
  }

  /// The least significant byte first.
  private static func checksum(_ number: UInt32) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  // MARK: Mathematics

  private static let mathematics: [Overload] =
    [
      // The least integer stays as it is.
      Overload("math.abs", .int, gives: .int) { .int($0 < 0 ? 0 &- $0 : $0) },
      Overload("math.abs", .float, gives: .float) { .float($0.magnitude) },
      Overload("math.round", .int, gives: .int) { .int($0) },
      Overload("math.round", .float, gives: .int) {
        .int(Conversions.truncated(($0 + 0.5).rounded(.down)))
      },
      Overload("math.pow", .float, .float, gives: .float) { .float(Mathematics.power($0, $1)) },
    ] + number("math.ceil", gives: .float) { .float($0.rounded(.up)) }
    + number("math.floor", gives: .float) { .float($0.rounded(.down)) }
    + number("math.sqrt", gives: .float) { .float($0.squareRoot()) }
    + number("math.isNaN", gives: .bool) { .bool($0.isNaN) }

  private static func number(
    _ name: String, gives result: RulesType, _ body: @escaping @Sendable (Double) -> RulesValue
  ) -> [Overload] {
    [
      Overload(name, .int, gives: result) { body(Double($0)) },
      Overload(name, .float, gives: result, body),
    ]
  }
}
