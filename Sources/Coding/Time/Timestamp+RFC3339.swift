extension Timestamp {
  /// 0001-01-01T00:00:00Z, the first time that protobuf and Firestore know.
  package static let earliest = Timestamp(seconds: -62_135_596_800, nanos: 0)

  /// 9999-12-31T23:59:59.999999999Z, the last.
  package static let latest = Timestamp(seconds: 253_402_300_799, nanos: 999_999_999)

  /// Whether the time lies in the years 1 to 9999 and its nanoseconds make sense.
  package var isValid: Bool {
    0...999_999_999 ~= nanos && self >= .earliest && self <= .latest
  }

  /// Reads `YYYY-MM-DDTHH:MM:SS[.fraction](Z|±HH:MM)` (RFC 3339, capitals only, as protobuf's JSON has it) with up to
  /// nine digits in the fraction.
  ///
  /// - Returns: `nil` for any other text, for dates that no calendar has, for leap seconds, and outside
  ///   of the years 1 to 9999.
  package init?(rfc3339 text: Span<UInt8>) {
    var fields = Fields(text: text)
    guard let year = fields.number(4), fields.take("-"), let month = fields.number(2),
      fields.take("-"), let day = fields.number(2), fields.take("T"),
      let hour = fields.number(2), fields.take(":"), let minute = fields.number(2),
      fields.take(":"), let second = fields.number(2),
      let nanos = fields.fraction(), let offset = fields.zone(), fields.isAtEnd,
      1...12 ~= month, 1...Self.days(in: month, of: year) ~= day, hour < 24, minute < 60,
      second < 60
    else { return nil }
    let days = Self.days(year: year, month: month, day: day)
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset * 60
    self.init(seconds: Int64(seconds), nanos: Int32(nanos))
    guard isValid else { return nil }
  }

  /// Reads a time as `init(rfc3339:)` of bytes does.
  package init?(rfc3339 text: String) {
    self.init(rfc3339: text.utf8.span)
  }

  /// The time in RFC 3339, in UTC, with 0, 3, 6 or 9 digits of a fraction.
  package var rfc3339: String {
    var bytes: [UInt8] = []
    appendRFC3339(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the text of `rfc3339`. A time that is not valid is given as the nearest that is.
  package func appendRFC3339(to bytes: inout [UInt8]) {
    let time = min(max(self, .earliest), .latest)
    let (day, second) = time.dayAndSecond
    let date = Self.date(days: day)
    let nanos = Int(min(max(time.nanos, 0), 999_999_999))
    var text = [30 of UInt8](repeating: 0)
    Self.put(date.year / 100, in: &text, at: 0)
    Self.put(date.year % 100, in: &text, at: 2)
    text[4] = UInt8(ascii: "-")
    Self.put(date.month, in: &text, at: 5)
    text[7] = UInt8(ascii: "-")
    Self.put(date.day, in: &text, at: 8)
    text[10] = UInt8(ascii: "T")
    Self.put(second / 3_600, in: &text, at: 11)
    text[13] = UInt8(ascii: ":")
    Self.put(second / 60 % 60, in: &text, at: 14)
    text[16] = UInt8(ascii: ":")
    Self.put(second % 60, in: &text, at: 17)
    text[19] = UInt8(ascii: ".")
    Self.put(nanos / 10_000_000, in: &text, at: 20)
    Self.put(nanos / 100_000 % 100, in: &text, at: 22)
    Self.put(nanos / 1_000 % 100, in: &text, at: 24)
    Self.put(nanos / 10 % 100, in: &text, at: 26)
    text[28] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: nanos % 10)
    let count = nanos == 0 ? 20 : nanos % 1_000_000 == 0 ? 24 : nanos % 1_000 == 0 ? 27 : 30
    text[count - 1] = UInt8(ascii: "Z")
    bytes.append(addingCapacity: count) { output in output.append(text.span.extracting(..<count)) }
  }

  /// Two digits.
  @inline(__always)
  private static func put(_ number: Int, in text: inout [30 of UInt8], at index: Int) {
    text[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / 10)
    text[index + 1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10)
  }
}

// MARK: - Calendar

extension Timestamp {
  /// Midnight of a day in UTC; `nil` for dates that no calendar has, and outside of the years 1 to 9999.
  package init?(year: Int, month: Int, day: Int) {
    guard 1...9999 ~= year, 1...12 ~= month, 1...Self.days(in: month, of: year) ~= day else {
      return nil
    }
    self.init(seconds: Int64(Self.days(year: year, month: month, day: day)) * 86_400, nanos: 0)
  }

  /// Days since 1970-01-01, negative before, and the seconds since midnight.
  package var dayAndSecond: (day: Int, second: Int) {
    let second = (seconds % 86_400 + 86_400) % 86_400
    return (Int((seconds - second) / 86_400), Int(second))
  }

  /// The date in UTC.
  package var date: (year: Int, month: Int, day: Int) { Self.date(days: dayAndSecond.day) }

  /// The days of a month in the proleptic Gregorian calendar.
  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days from 1970-01-01 to a date, for years from 0 on. Years are counted from March, so that the leap day is the
  /// last of its year; 719,468 days lie between 0000-03-01 and 1970-01-01.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month > 2 ? year : year - 1
    let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func date(days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  /// A cursor over the text of a time.
  private struct Fields: ~Escapable {
    let text: Span<UInt8>
    var index = 0

    @_lifetime(copy text)
    init(text: Span<UInt8>) {
      self.text = text
    }

    var isAtEnd: Bool { index == text.count }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard index < text.count, text[index] == UInt8(ascii: character) else { return false }
      index += 1
      return true
    }

    mutating func digit() -> Int? {
      guard index < text.count else { return nil }
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      index += 1
      return Int(digit)
    }

    mutating func number(_ width: Int) -> Int? {
      var value = 0
      for _ in 0..<width {
        guard let digit = digit() else { return nil }
        value = value * 10 + digit
      }
      return value
    }

    /// Nanoseconds; 0 where no fraction stands.
    mutating func fraction() -> Int? {
      guard take(".") else { return 0 }
      guard var value = digit() else { return nil }
      var count = 1
      while let digit = digit() {
        guard count < 9 else { return nil }
        value = value * 10 + digit
        count += 1
      }
      for _ in count..<9 { value *= 10 }
      return value
    }

    /// Minutes east of UTC.
    mutating func zone() -> Int? {
      if take("Z") { return 0 }
      let isEast = take("+")
      guard isEast || take("-"), let hours = number(2), take(":"), let minutes = number(2),
        hours < 24, minutes < 60
      else { return nil }
      return isEast ? hours * 60 + minutes : -(hours * 60 + minutes)
    }
  }
}
