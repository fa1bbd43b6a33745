import Coding
import Foundation
import HibachiTesting
import Testing

@testable import WebChannel

@Suite("Framing")
struct ChannelFrameTests {
  /// What a browser reads: the pieces of a body, by the lengths that it counts.
  static func pieces(_ body: [UInt8]) -> [String]? {
    var units = Array(String(decoding: body, as: UTF8.self).utf16)[...]
    var pieces: [String] = []
    while !units.isEmpty {
      guard let end = units.firstIndex(of: 0x0a),
        let count = Int(String(decoding: units[..<end], as: UTF16.self)),
        count <= units.distance(from: end, to: units.endIndex) - 1
      else { return nil }
      let start = end + 1
      pieces.append(String(decoding: units[start..<(start + count)], as: UTF16.self))
      units = units[(start + count)...]
    }
    return pieces
  }

  @Test(
    "Lengths are UTF-16 code units",
    arguments: [
      (#""noop""#, 1, "14\n[[1,[\"noop\"]]]"), (#"{"s":"é"}"#, 9, "17\n[[9,[{\"s\":\"é\"}]]]"),
      (#"{"s":"€"}"#, 9, "17\n[[9,[{\"s\":\"€\"}]]]"),
      (#"{"s":"😀"}"#, 9, "18\n[[9,[{\"s\":\"😀\"}]]]"),
      (#"{"s":"\ud83d\ude00"}"#, 9, "28\n[[9,[{\"s\":\"\\ud83d\\ude00\"}]]]"),
      ("{\"s\":\"e\u{301}\"}", 9, "18\n[[9,[{\"s\":\"e\u{301}\"}]]]"),
    ])
  func lengths(_ content: String, _ id: Int, _ expected: String) {
    let array = ChannelArray(id: id, Array(content.utf8))
    #expect(ChannelFrame.encode([array]) == Array(expected.utf8))
  }

  @Test func aReplyIsFramed() {
    #expect(ChannelFrame.encode("[1,4,0]") == Array("7\n[1,4,0]".utf8))
  }

  @Test("Frames of random text, one behind the other, come apart again", arguments: 0..<100)
  func random(_ seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    let scalars: [Unicode.Scalar] = ["a", "é", "€", "😀", "\u{301}", "\u{2028}", "𝔘", "[", ","]
    var id = 0
    var body: [UInt8] = []
    var contents: [String] = []
    for _ in 0..<generator.int(1...5) {
      let arrays = (0..<generator.int(1...4)).map { _ in
        var text = String.UnicodeScalarView()
        for _ in 0..<generator.int(0...20) {
          text.append(scalars[generator.int(0...(scalars.count - 1))])
        }
        id += 1
        contents.append("[\(id),[\"\(String(text))\"]]")
        return ChannelArray(id: id, Array("\"\(String(text))\"".utf8))
      }
      body += ChannelFrame.encode(arrays[...])
    }
    let pieces = try #require(Self.pieces(body))
    #expect(
      pieces.map { String($0.dropFirst().dropLast()) }.joined(separator: ",")
        == contents.joined(separator: ","))
  }
}
