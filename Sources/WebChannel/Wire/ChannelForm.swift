internal import Coding
package import HTTPServer

/// The body of a POST: messages of the client and, in a handshake, fields that stand in for those of the request.
///
/// ```
/// headers=NAME%3AVALUE%0D%0A…&count=2&ofs=3&req0___data__=JSON&req1___data__=JSON
/// ```
/// The number of a message is `ofs` and the number in its name; names may come in any order and with gaps.
package struct ChannelForm: Sendable {
  /// A message with its number, which counts from 0 in a session; no bytes for one that the client could not write.
  package struct Message: Hashable, Sendable {
    package var id: Int
    package var bytes: [UInt8]?
  }

  /// Messages in one request, as many as clients send.
  package static let messageLimit = 1_000
  /// Lines and bytes of the field `headers`.
  private static let fieldLimit = 100
  private static let fieldBytes = 64 << 10
  /// Names in a form.
  private static let partLimit = 4_000

  package let fields: HTTPFields
  /// In the order of their numbers, each once.
  package let messages: [Message]

  /// Reads a body.
  ///
  /// - Throws: for numbers that are none or out of range, bad escapes, too many messages or fields.
  package init(_ body: Span<UInt8>) throws(ChannelError) {
    var found: [Int: [UInt8]] = [:]
    var numbers: Set<Int> = []
    var block = ""
    var offset = 0
    var start = 0
    var parts = 0
    while start < body.count {
      parts += 1
      guard parts <= Self.partLimit else { throw ChannelError.tooManyMessages }
      var end = start
      while end < body.count, body[end] != UInt8(ascii: "&") { end &+= 1 }
      var equals = start
      while equals < end, body[equals] != UInt8(ascii: "=") { equals &+= 1 }
      let name = try Self.text(body.extracting(start..<equals))
      let value = body.extracting(min(equals + 1, end)..<end)
      start = end + 1
      switch name {
      case "headers": block = try Self.text(value)
      case "ofs": offset = try Self.number(value)
      case "count": try Self.checkCount(value)
      default:
        guard let part = Self.part(name) else { continue }
        numbers.insert(part.number)
        if part.isData, found[part.number] == nil {
          found[part.number] = try Self.decoded(value)
        }
        guard numbers.count <= Self.messageLimit else { throw ChannelError.tooManyMessages }
      }
    }
    fields = try Self.fields(block)
    messages = numbers.sorted().map { Message(id: offset + $0, bytes: found[$0]) }
  }

  /// What `req5___data__` or another name that begins like it says.
  private static func part(_ name: String) -> (number: Int, isData: Bool)? {
    let bytes = name.utf8
    guard bytes.starts(with: "req".utf8), let end = bytes.firstIndex(of: UInt8(ascii: "_")),
      let number = number(in: bytes[..<end].dropFirst(3))
    else { return nil }
    return (number, bytes[end...].elementsEqual("___data__".utf8))
  }

  /// A number of digits alone, at most `Int32.max`.
  private static func number(in digits: Substring.UTF8View) -> Int? {
    guard 1...10 ~= digits.count, digits.allSatisfy({ 0x30...0x39 ~= $0 }),
      let number = Int32(Substring(digits))
    else { return nil }
    return Int(number)
  }

  private static func number(_ value: Span<UInt8>) throws(ChannelError) -> Int {
    let text = try text(value)
    guard let number = number(in: text[...].utf8) else { throw ChannelError.badNumber }
    return number
  }

  /// The number of messages that is announced; what counts is those that are there.
  private static func checkCount(_ value: Span<UInt8>) throws(ChannelError) {
    let count = try number(value)
    guard count <= messageLimit else { throw ChannelError.tooManyMessages }
  }

  private static func decoded(_ value: Span<UInt8>) throws(ChannelError) -> [UInt8] {
    var bytes: [UInt8] = []
    guard PercentCoding.decodeForm(value, into: &bytes) else { throw ChannelError.badEscape }
    return bytes
  }

  private static func text(_ value: Span<UInt8>) throws(ChannelError) -> String {
    let bytes = try decoded(value)
    guard let text = String(utf8: bytes.span) else { throw ChannelError.badEscape }
    return text
  }

  /// The fields of a block of lines `Name:value`.
  ///
  /// - Throws: for too many lines or bytes.
  package static func fields(_ block: String) throws(ChannelError) -> HTTPFields {
    var fields = HTTPFields()
    guard block.utf8.count <= fieldBytes else { throw ChannelError.tooManyFields }
    for line in block.utf8.split(whereSeparator: { $0 == 0x0d || $0 == 0x0a }) {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      guard fields.lines.count < fieldLimit else { throw ChannelError.tooManyFields }
      fields.append(
        trimmed(line[..<colon]).lowercased(), trimmed(line[line.index(after: colon)...]))
    }
    return fields
  }

  private static func trimmed(_ text: Substring.UTF8View) -> String {
    let start = text.drop { $0 == 0x20 || $0 == 0x09 }
    let end = start.lastIndex { $0 != 0x20 && $0 != 0x09 }
    return end.map { String(Substring(start[...$0])) } ?? ""
  }
}
