import Coding
import FirestoreModel

/// A small generator with a seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  init(_ seed: Int) { state = UInt64(bitPattern: Int64(seed)) }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

extension Array {
  func pick(_ generator: inout SeededGenerator) -> Element {
    self[Int.random(in: indices, using: &generator)]
  }
}

let database = DatabaseName(project: "p", database: "(default)")

func path(_ text: String) -> DocumentPath {
  DocumentPath(segments: text.split(separator: "/").map { UTF8String(String($0)) })
}

func reference(_ text: String) -> Value {
  .reference(DocumentName(database: database, path: path(text)))
}

func map(_ fields: KeyValuePairs<String, Value>) -> Value {
  .map(MapValue(fields.map { MapValue.Field(name: UTF8String($0.key), value: $0.value) }))
}

extension Value {
  static let texts = [
    "", "\0", "\0\0", "\u{1}", "a", "a\0", "a\0b", "a\u{1}", "é", "e\u{301}", "\u{ffff}", "😀",
  ]
  static let integers: [Int64] = [
    0, 1, -1, .min, .min + 1, .max, .max - 1, 1 << 53, 1 << 53 + 1, -(1 << 53) - 1, 1 << 62 + 1,
    1024,
  ]
  static let doubles: [Double] = [
    0, -0.0, 1, -1, .nan, .infinity, -.infinity, 0x1p53, 0x1p63, -0x1p63, 0x1p62, 0.5, -0.5, 1e300,
    .leastNonzeroMagnitude, -.leastNonzeroMagnitude, 0x1p63.nextDown, 0x1p53 + 2,
  ]

  static func random(_ generator: inout SeededGenerator, depth: Int = 0) -> Value {
    let text = { (generator: inout SeededGenerator) in
      UTF8String(texts.pick(&generator))
    }
    switch Int.random(in: 0..<(depth < 3 ? 13 : 9), using: &generator) {
    case 0: return .null
    case 1: return .boolean(Bool.random(using: &generator))
    case 2: return .integer(integers.pick(&generator))
    case 3: return .double(doubles.pick(&generator))
    case 4:
      return .timestamp(Timestamp(microseconds: integers.pick(&generator) >> 16))
    case 5: return .string(text(&generator))
    case 6: return .bytes(Array(text(&generator).utf8))
    case 7:
      let ids: [UTF8String] = ["a", "a\0", "__id5__", "__id-5__", "b", "\0"]
      let collections: [UTF8String] = ["a", "a\0", "b"]
      let segments = (0..<Int.random(in: 1...2, using: &generator)).flatMap { _ in
        [collections.pick(&generator), ids.pick(&generator)]
      }
      return .reference(DocumentName(database: database, path: DocumentPath(segments: segments)))
    case 8:
      return .geoPoint(
        GeoPoint(
          latitude: [-90, 0, 1.5].pick(&generator),
          longitude: [-180, 0, 7].pick(&generator)))
    case 9: return .integer(Int64.random(in: .min ... .max, using: &generator))
    case 10:
      return .array(
        (0..<Int.random(in: 0...2, using: &generator)).map { _ in
          random(&generator, depth: depth + 1)
        })
    case 11:
      return .vector(
        (0..<Int.random(in: 1...2, using: &generator)).map { _ in
          doubles.pick(&generator)
        })
    default:
      return .map(
        MapValue(
          (0..<Int.random(in: 0...2, using: &generator)).map { _ in
            MapValue.Field(name: text(&generator), value: random(&generator, depth: depth + 1))
          }))
    }
  }
}
