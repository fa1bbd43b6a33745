import Coding
import Testing

@Suite struct JSONWriterTests {
  @Test func prettyFormIndentsMembers() {
    var writer = JSONWriter(isPretty: true)
    writer.beginObject()
    writer.writeKey("name")
    writer.writeString("a/<é>")
    writer.writeKey("mapValue")
    writer.beginObject()
    writer.endObject()
    writer.writeKey("values")
    writer.beginArray()
    for value in [1, 2] as [Int64] {
      writer.beginObject()
      writer.writeKey("integerValue")
      writer.writeInt64(value)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    writer.finish()
    let expected = """
      {
        "name": "a/<é>",
        "mapValue": {
        },
        "values": [{
          "integerValue": "1"
        }, {
          "integerValue": "2"
        }]
      }

      """
    #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
  }

  @Test func anEmptyMessageTakesTwoLines() {
    var writer = JSONWriter(isPretty: true)
    writer.beginObject()
    writer.endObject()
    writer.finish()
    #expect(writer.bytes == Array("{\n}\n".utf8))
  }

  @Test(
    arguments: [
      (3.0, "3.0"), (-0.0, "-0.0"), (0.1, "0.1"), (1e300, "1e+300"),
      (.leastNonzeroMagnitude, "5e-324"),
      (1e21, "1e+21"),
      (.nan, "\"NaN\""), (.infinity, "\"Infinity\""), (-.infinity, "\"-Infinity\""),
      (0.30000000000000004, "0.30000000000000004"),
    ] as [(Double, String)])
  func doublesAreShortest(value: Double, text: String) {
    var writer = JSONWriter()
    writer.writeDouble(value)
    #expect(writer.bytes == Array(text.utf8))
  }

  @Test(arguments: [0, 1, -1, 10, .max, .min] as [Int64])
  func integersAreStrings(value: Int64) {
    var writer = JSONWriter()
    writer.writeInt64(value)
    #expect(writer.bytes == Array("\"\(value)\"".utf8))
  }
}
