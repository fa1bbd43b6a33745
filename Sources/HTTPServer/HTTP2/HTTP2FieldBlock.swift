internal import CNGHTTP2

/// Fields in the form that nghttp2 takes them.
enum HTTP2FieldBlock {
  /// Lends `:status`, if there is one, and `fields` to `body`; the memory ends with the call.
  @unsafe static func withFields(
    status: Int?, _ fields: HTTPFields, _ body: (UnsafeBufferPointer<nghttp2_nv>) -> Int32
  ) -> Int32 {
    var size = 0
    for line in fields.lines { size += line.name.utf8.count + line.value.utf8.count }
    let statusText = status.map { $0 == 200 ? "200" : String($0) }
    let count = fields.lines.count + (statusText == nil ? 0 : 1)
    if let statusText { size += statusName.utf8.count + statusText.utf8.count }
    return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: size) { text in
      unsafe withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: count) { lines in
        var writer = unsafe Writer(text: text, lines: lines)
        if let statusText { writer.add(statusName, statusText) }
        for line in fields.lines { writer.add(line.name, line.value) }
        return unsafe body(UnsafeBufferPointer(lines))
      }
    }
  }

  private static let statusName = ":status"

  /// Lays texts out one after the other; the buffers have been measured for them.
  @safe private struct Writer {
    private let text: UnsafeMutableBufferPointer<UInt8>
    private let lines: UnsafeMutableBufferPointer<nghttp2_nv>
    private var textEnd = 0
    private var lineCount = 0

    init(
      text: UnsafeMutableBufferPointer<UInt8>, lines: UnsafeMutableBufferPointer<nghttp2_nv>
    ) {
      unsafe self.text = text
      unsafe self.lines = lines
    }

    mutating func add(_ name: String, _ value: String) {
      let (nameStart, nameCount) = unsafe copy(name)
      let (valueStart, valueCount) = unsafe copy(value)
      let line = unsafe nghttp2_nv(
        name: nameStart, value: valueStart, namelen: nameCount, valuelen: valueCount,
        flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue))
      unsafe lines.initializeElement(at: lineCount, to: line)
      lineCount += 1
    }

    private mutating func copy(_ string: String) -> (UnsafeMutablePointer<UInt8>?, Int) {
      var string = string
      let start = unsafe text.baseAddress.map { unsafe $0 + textEnd }
      let count = string.withUTF8 { bytes in
        if let source = bytes.baseAddress {
          unsafe start?.initialize(from: source, count: bytes.count)
        }
        return bytes.count
      }
      textEnd += count
      return unsafe (start, count)
    }
  }
}
