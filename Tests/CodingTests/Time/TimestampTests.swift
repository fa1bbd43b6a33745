import Coding
import HibachiTesting
import Testing

@Suite struct TimestampTests {
  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0, 0), ("2020-01-02T03:04:05+01:00", 1_577_930_645, 0),
      ("2020-01-02T03:04:05-08:30", 1_577_964_845, 0), ("0001-01-01T00:00:00Z", -62_135_596_800, 0),
      ("9999-12-31T23:59:59.999999999Z", 253_402_300_799, 999_999_999),
      ("1969-12-31T23:59:59.5Z", -1, 500_000_000),
      ("1900-01-01T00:00:00.000001Z", -2_208_988_800, 1_000),
      ("2024-02-29T12:00:00.123456Z", 1_709_208_000, 123_456_000),
    ] as [(String, Int64, Int32)])
  func timesAreRead(text: String, seconds: Int64, nanos: Int32) {
    #expect(Timestamp(rfc3339: text) == Timestamp(seconds: seconds, nanos: nanos))
  }

  @Test(arguments: [
    "2020-01-02t03:04:05z", "2020-01-02T03:04:05z", "2020-01-02 03:04:05Z", "2020-01-02T03:04:05",
    "2020-01-02", "",
    "2016-12-31T23:59:60Z", "2021-02-29T00:00:00Z", "2021-13-01T00:00:00Z", "2020-01-02T24:00:00Z",
    "2020-00-01T00:00:00Z", "2020-01-00T00:00:00Z", "2020-04-31T00:00:00Z", "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "10000-01-01T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2020-01-02T03:04:05.Z", "2020-01-02T03:04:05.1234567890Z", "2020-01-02T03:04:05+0100",
    "2020-01-02T03:04:05+24:00",
    "2020-01-02T03:04:05Zx", " 2020-01-02T03:04:05Z", "+020-01-02T03:04:05Z",
  ])
  func otherTextIsNoTime(text: String) {
    #expect(Timestamp(rfc3339: text) == nil)
  }

  @Test(
    arguments: [
      (0, 0, "1970-01-01T00:00:00Z"), (-1, 500_000_000, "1969-12-31T23:59:59.500Z"),
      (0, 1_000, "1970-01-01T00:00:00.000001Z"), (0, 1, "1970-01-01T00:00:00.000000001Z"),
      (-62_135_596_800, 0, "0001-01-01T00:00:00Z"), (.max, 0, "9999-12-31T23:59:59.999999999Z"),
      (.min, -5, "0001-01-01T00:00:00Z"),
    ] as [(Int64, Int32, String)])
  func timesAreWritten(seconds: Int64, nanos: Int32, text: String) {
    #expect(Timestamp(seconds: seconds, nanos: nanos).rfc3339 == text)
  }

  @Test(arguments: 0..<200)
  func timesRoundTrip(seed: Int) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let time = Timestamp(
        seconds: .random(in: -62_135_596_800...253_402_300_799, using: &generator),
        nanos: .random(in: 0...999_999_999, using: &generator))
      #expect(time.isValid && Timestamp(rfc3339: time.rfc3339) == time)
    }
    _ = Timestamp(rfc3339: generator.mutated(Array("2020-01-02T03:04:05.5+01:00".utf8)).span)
  }
}
