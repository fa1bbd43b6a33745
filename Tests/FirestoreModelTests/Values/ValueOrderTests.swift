import Coding
import FirestoreModel
import Testing

@Suite struct ValueOrderTests {
  /// Each below the next.
  static let ascending: [Value] = [
    .null, .boolean(false), .boolean(true),
    .double(.nan), .double(-.infinity), .double(-0x1p63 * 2), .integer(.min),
    .integer(-(1 << 53) - 1),
    .integer(-(1 << 53)), .integer(-1), .double(-0.5), .integer(0), .double(.leastNonzeroMagnitude),
    .integer(1), .double(1.5), .integer(1 << 53), .integer(1 << 53 + 1), .double(0x1p53 + 2),
    .double(0x1p63.nextDown), .integer(.max - 1), .integer(.max), .double(0x1p63),
    .double(.infinity),
    .timestamp(Timestamp(seconds: -1, nanos: 999_999_000)),
    .timestamp(Timestamp(seconds: 0, nanos: 0)),
    .timestamp(Timestamp(seconds: 0, nanos: 1_000)),
    .string(""), .string("\0"), .string("\u{1}"), .string("a"), .string("a\0"), .string("ab"),
    .string("e\u{301}"),
    .string("é"), .string("\u{ffff}"), .string("😀"),
    .bytes([]), .bytes([0]), .bytes([0, 0]), .bytes([1]), .bytes([127]), .bytes([128]),
    .bytes([255]),
    reference("cola/__id-9223372036854775808__"), reference("cola/__id5__"), reference("cola/\0"),
    reference("cola/_"), reference("cola\0/doca"),
    reference("cola\0/doca/colb/__id-9223372036854775808__"), reference("cola\0/doca/colb/\0"),
    reference("cola\0/doca/colb/docb"), reference("cola\0/doca\0"), reference("cola\0/docb"),
    reference("colb/doca"),
    .geoPoint(GeoPoint(latitude: -90, longitude: 0)),
    .geoPoint(GeoPoint(latitude: 0, longitude: -1)),
    .geoPoint(GeoPoint(latitude: 0, longitude: 1)),
    .array([]), .array([.integer(1), .integer(2), .integer(3)]),
    .array([.integer(1), .integer(2), .integer(3), .integer(1)]), .array([.integer(2)]),
    .array([.string("a")]),
    .vector([9]), .vector([1, 2]), .vector([1, 3]), .vector([0, 0, 0]),
    map([:]), map(["a": .string("aaa"), "b": .string("baz")]),
    map(["a": .string("foo"), "b": .string("bar")]),
    map(["a": .string("foo"), "b": .string("bar"), "c": .string("qux")]),
    map(["a": .string("foo"), "b": .string("baz")]),
    map(["b": .string("aaa"), "c": .string("baz")]),
    map(["c": .string("aaa")]),
  ]

  @Test func totalOrder() {
    for (left, a) in Self.ascending.enumerated() {
      for (right, b) in Self.ascending.enumerated() {
        let expected = Ordering(left, right)
        #expect(Value.compare(a, b) == expected, "\(a) \(b)")
        #expect(order(ValueKey.encode(a), ValueKey.encode(b)) == expected, "keys of \(a) \(b)")
      }
    }
  }

  @Test(arguments: [
    (Value.integer(3), Value.double(3)), (.double(0), .double(-0.0)), (.integer(0), .double(-0.0)),
    (.double(.nan), .double(-.nan)), (.null, .null), (.integer(1 << 53), .double(0x1p53)),
    (.integer(.min), .double(-0x1p63)),
    (.array([.integer(1)]), .array([.double(1)])),
    (map(["a": .integer(1)]), map(["a": .double(1)])),
  ])
  func equivalence(_ left: Value, _ right: Value) {
    #expect(Value.isEquivalent(left, right))
    #expect(ValueKey.encode(left) == ValueKey.encode(right))
  }

  @Test(arguments: 0..<200)
  func keysSortAsValues(seed: Int) {
    var generator = SeededGenerator(seed)
    for _ in 0..<200 {
      let (a, b) = (Value.random(&generator), Value.random(&generator))
      #expect(order(ValueKey.encode(a), ValueKey.encode(b)) == Value.compare(a, b), "\(a) \(b)")
    }
  }

  @Test func storedFormsDiffer() {
    #expect(Value.integer(1) != .double(1))
    #expect(Value.double(0) != .double(-0.0))
    #expect(Value(-.nan) == Value(.nan))
    #expect(Value.string("é") != .string("e\u{301}"))
  }
}

func order(_ left: [UInt8], _ right: [UInt8]) -> Ordering {
  left.lexicographicallyPrecedes(right) ? .ascending : left == right ? .equal : .descending
}
