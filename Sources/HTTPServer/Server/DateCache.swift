internal import NetIO

/// The time of day as answers carry it (RFC 9110 §5.6.7), written anew once a second. Confined to one loop.
final class DateCache {
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private var second = Int64.min
  private var bytes: [UInt8] = []

  /// Such as `Sun, 06 Nov 1994 08:49:37 GMT`, in ASCII.
  var text: [UInt8] {
    let now = WallClock.microseconds / 1_000_000
    if now != second {
      second = now
      bytes = Array(Self.format(now).utf8)
    }
    return bytes
  }

  /// The date of a time in seconds since 1970, which is not negative.
  static func format(_ seconds: Int64) -> String {
    let (day, time) = seconds.quotientAndRemainder(dividingBy: 86_400)
    // Days are counted from 1 March of year 0, so that leap days end a year (Hinnant, "chrono-compatible date algorithms").
    let shifted = day + 719_468
    let (era, dayOfEra) = shifted.quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 2 : monthFromMarch - 10
    let year = yearOfEra + era * 400 + (month < 2 ? 1 : 0)
    let date = "\(two(dayOfMonth)) \(months[Int(month)]) \(year)"
    let clock = "\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60))"
    return "\(days[Int(day % 7)]), \(date) \(clock) GMT"
  }

  private static func two(_ number: Int64) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
