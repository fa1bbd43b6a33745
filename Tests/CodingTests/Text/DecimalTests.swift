import Coding
import HibachiTesting
import Testing

@Suite struct DecimalTests {
  @Test(
    arguments: [
      ("5", 5), ("-7", -7), ("+5", 5), ("007", 7), ("-0", 0), ("1e3", 1_000), ("2.0", 2),
      ("1.5e1", 15),
      ("9223372036854775807", .max), ("-9223372036854775808", .min),
      ("9007199254740993", 9_007_199_254_740_993),
      ("100e-2", 1), ("1000000000000000000000e-20", 10), ("0e999999999999", 0),
      ("1." + String(repeating: "0", count: 100), 1),
    ] as [(String, Int64)])
  func integersAreExact(text: String, value: Int64) {
    #expect(Int64(decimal: text.utf8.span) == value)
  }

  @Test(arguments: [
    "", " 5", "5 ", "0x10", "1.5", "9223372036854775808", "-9223372036854775809", "1e19", "1e",
    "e3", ".", "-", "1e-1",
    "NaN", "1_000", "99999999999999999999999",
  ])
  func otherTextIsNoInteger(text: String) {
    #expect(Int64(decimal: text.utf8.span) == nil)
  }

  @Test(arguments: [
    "", "x", "nan", "inf", "INFINITY", "-inf", "1e999", "-1e999", "0x1p3", " 1", "1f", "+Infinity",
  ])
  func otherTextIsNoDouble(text: String) {
    #expect(Double(decimal: text.utf8.span) == nil)
  }

  @Test(
    arguments: [
      ("1.5", 1.5), ("1e3", 1_000), ("-0", -0.0), ("Infinity", .infinity),
      ("-Infinity", -.infinity),
      ("0.1000000000000000055511151231257827", 0.1), ("4.9e-324", .leastNonzeroMagnitude),
      ("2.2250738585072014E-308", 0x1p-1022),
      ("1.7976931348623157e308", .greatestFiniteMagnitude), ("1e-400", 0),
    ] as [(String, Double)])
  func doublesAreTheNearest(text: String, value: Double) {
    #expect(Double(decimal: text.utf8.span)?.bitPattern == value.bitPattern)
  }

  @Test(arguments: 0..<200)
  func doublesSurviveTheirText(seed: Int) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let value = Double(bitPattern: generator.next())
      guard value.isFinite else { continue }
      #expect(Double(decimal: value.description.utf8.span)?.bitPattern == value.bitPattern)
      let short =
        "\(Int.random(in: -99_999...99_999, using: &generator)).\(generator.next() % 10_000)"
      #expect(Double(decimal: short.utf8.span)?.bitPattern == Double(short)?.bitPattern)
    }
  }
}
