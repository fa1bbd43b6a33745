internal import Coding

/// A protobuf enumeration; numbers that have no name are kept.
package protocol WireEnumeration: Hashable, Sendable {
  init(rawValue: Int32)

  var rawValue: Int32 { get }

  static var names: [(number: Int32, name: StaticString)] { get }
}

extension WireEnumeration {
  /// Reads a name or a number, which may stand in a string.
  init(json reader: inout JSONReader) throws(JSONError) {
    guard try reader.peek() == .string else {
      self.init(rawValue: try reader.readInt32Member())
      return
    }
    let text = try reader.readString()
    if let value = Self.names.first(where: { $0.name.description.utf8.elementsEqual(text.utf8) }) {
      self.init(rawValue: value.number)
    } else if let number = Int32(text) {
      self.init(rawValue: number)
    } else {
      throw reader.wrongValue()
    }
  }

  /// Writes the name, or the number where there is none or numbers are asked for.
  func write(to writer: inout JSONWriter) {
    if !writer.enumsAreNumbers, let value = Self.names.first(where: { $0.number == rawValue }) {
      writer.writeString(value.name.description)
    } else {
      writer.writeInt32(rawValue)
    }
  }
}
