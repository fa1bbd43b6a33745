internal import Coding

/// The functions that belong to no type. The arguments have been held against the signature.
enum Functions {
  static func call(
    _ builtin: Builtin, _ arguments: [RulesValue]
  ) throws(EvaluationFailure) -> RulesValue {
    guard let first = arguments.first else { throw .null }
    switch builtin {
    case .string: return .string(try Conversions.string(first))
    case .int: return .int(try Conversions.int(first))
    case .float: return .float(try Conversions.float(first))
    case .path: return .path(try path(first))
    case .durationValue, .durationTime, .durationAbs: return try duration(builtin, arguments)
    case .timestampDate: return try date(arguments)
    case .timestampValue: return try timestamp(first)
    case .latlngValue: return try latlng(arguments)
    case .hashingMD5, .hashingSHA256, .hashingCRC32, .hashingCRC32C:
      return .bytes(hash(builtin, first))
    default: return try mathematics(builtin, arguments)
    }
  }

  private static func path(_ value: RulesValue) throws(EvaluationFailure) -> RulesPath {
    guard case .string(let text) = value else { throw .null }
    do throws(RulesPath.TextError) {
      return try RulesPath(parsing: text)
    } catch {
      switch error {
      case .empty: throw EvaluationFailure("Empty Path Template is not allowed.")
      case .emptySegment:
        throw EvaluationFailure("Invalid Path Template \(text). Empty segment is not allowed.")
      }
    }
  }

  private static func hash(_ builtin: Builtin, _ value: RulesValue) -> [UInt8] {
    let bytes: [UInt8] =
      switch value {
      case .string(let text): Array(text.utf8)
      case .bytes(let bytes): bytes
      case .null, .bool, .int, .float, .list, .map, .set, .mapDiff, .path, .timestamp, .duration,
        .latlng, .vector, .constraint, .unknown:
        []
      }
    var number: UInt32
    switch builtin {
    case .hashingMD5: return MD5.digest(bytes)
    case .hashingSHA256: return SHA256.digest(bytes)
    case .hashingCRC32C:
      var checksum = CRC32C()
      checksum.update(bytes.span)
      number = checksum.value
    default: number = CRC32.checksum(bytes)
    }
    // The least significant byte first.
    return (0..<4).map { _ in
      defer { number >>= 8 }
      return UInt8(truncatingIfNeeded: number)
    }
  }

  private static func mathematics(
    _ builtin: Builtin, _ arguments: [RulesValue]
  ) throws(EvaluationFailure) -> RulesValue {
    guard let first = arguments.first else { throw .null }
    if builtin == .mathAbs, case .int(let number) = first {
      return .int(number < 0 ? 0 &- number : number)
    }
    if builtin == .mathRound, case .int = first { return first }
    let number = try Conversions.float(first)
    switch builtin {
    case .mathAbs: return .float(number.magnitude)
    case .mathCeil: return .float(number.rounded(.up))
    case .mathFloor: return .float(number.rounded(.down))
    case .mathRound: return .int(Conversions.truncated((number + 0.5).rounded(.down)))
    case .mathSqrt: return .float(number.squareRoot())
    case .mathPow: return .float(Mathematics.power(number, try Conversions.float(arguments[1])))
    case .mathIsNaN: return .bool(number.isNaN)
    default: return .bool(number.isInfinite)
    }
  }
}

// MARK: - Times and places

extension Functions {
  private static func integers(_ values: some Sequence<RulesValue>) -> [Int64] {
    values.compactMap { value in
      if case .int(let number) = value { number } else { nil }
    }
  }

  private static let units: [String: Int128] = [
    "w": 604_800_000_000_000, "d": 86_400_000_000_000, "h": 3_600_000_000_000,
    "m": 60_000_000_000, "s": 1_000_000_000, "ms": 1_000_000, "ns": 1,
  ]

  private static func duration(
    _ builtin: Builtin, _ arguments: [RulesValue]
  ) throws(EvaluationFailure) -> RulesValue {
    switch (builtin, arguments.first, arguments.last) {
    case (.durationValue, .int(let count), .string(let name)):
      guard let unit = units[name] else { throw .pattern(name) }
      return try Arithmetic.duration(Int128(count) * unit)
    case (.durationAbs, .duration(let duration), _):
      return try Arithmetic.duration(duration.total < 0 ? -duration.total : duration.total)
    default:
      let numbers = integers(arguments).map { Int128($0) }
      guard numbers.count == 4 else { throw .null }
      return try Arithmetic.duration(
        (numbers[0] * 3_600 + numbers[1] * 60 + numbers[2]) * 1_000_000_000 + numbers[3])
    }
  }

  private static func date(_ arguments: [RulesValue]) throws(EvaluationFailure) -> RulesValue {
    let numbers = integers(arguments)
    guard numbers.count == 3 else { throw .null }
    let (year, month, day) = (numbers[0], numbers[1], numbers[2])
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

  private static func timestamp(_ value: RulesValue) throws(EvaluationFailure) -> RulesValue {
    switch value {
    case .int(let milliseconds):
      return try Arithmetic.timestamp(Int128(milliseconds) * 1_000_000)
    case .string(let text):
      guard let time = Timestamp(rfc3339: text) else { throw .timestampRange }
      return .timestamp(time)
    case .null, .bool, .float, .bytes, .list, .map, .set, .mapDiff, .path, .timestamp, .duration,
      .latlng, .vector, .constraint, .unknown:
      throw .null
    }
  }

  private static func latlng(_ arguments: [RulesValue]) throws(EvaluationFailure) -> RulesValue {
    let latitude = try Conversions.float(arguments[0])
    let longitude = try Conversions.float(arguments[1])
    guard -90...90 ~= latitude, -180...180 ~= longitude else {
      throw EvaluationFailure(
        "Latitude should be in [-90,90] range and longitude should be in [-180,180] range. "
          + "latitude: \(latitude.javaText), longitude: \(longitude.javaText).")
    }
    return .latlng(latitude: latitude, longitude: longitude)
  }
}
