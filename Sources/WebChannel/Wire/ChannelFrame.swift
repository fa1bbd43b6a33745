internal import Coding

/// A piece of a response: its length in UTF-16 code units, a line feed, and that much JSON.
///
/// ```
/// 14 LF [[1,["noop"]]]
/// ```
package enum ChannelFrame {
  /// Frames a JSON text.
  package static func encode(_ text: String) -> [UInt8] {
    Array("\(text.utf16.count)\n\(text)".utf8)
  }

  /// Frames one array of `arrays`, which must not be empty.
  static func encode(_ arrays: ArraySlice<ChannelArray>) -> [UInt8] {
    let units = arrays.reduce(arrays.count + 1) { $0 + $1.units }
    var bytes = Array("\(units)\n[".utf8)
    bytes.reserveCapacity(arrays.reduce(bytes.count + arrays.count) { $0 + $1.text.count })
    for (index, array) in arrays.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += array.text
    }
    bytes.append(UInt8(ascii: "]"))
    return bytes
  }
}

/// An array on its way to the client, with its number: `[7,[{…}]]`.
struct ChannelArray: Hashable, Sendable {
  let id: Int
  let text: [UInt8]
  /// The length of `text` in UTF-16 code units.
  let units: Int

  /// `content` is what the inner brackets hold: a JSON text.
  init(id: Int, _ content: [UInt8]) {
    var text = Array("[\(id),[".utf8)
    text.reserveCapacity(text.count + content.count + 2)
    text += content
    text += "]]".utf8
    self.id = id
    self.text = text
    units = UTF16Length.count(text.span)
  }

  /// Something to read for who waits for bytes; nobody is told of it.
  static func noop(_ id: Int) -> ChannelArray { ChannelArray(id: id, Array(#""noop""#.utf8)) }
  /// A clean end of the session.
  static func close(_ id: Int) -> ChannelArray { ChannelArray(id: id, Array(#""close""#.utf8)) }
  /// An end that is an error.
  static func stop(_ id: Int) -> ChannelArray { ChannelArray(id: id, Array(#""stop""#.utf8)) }
}
