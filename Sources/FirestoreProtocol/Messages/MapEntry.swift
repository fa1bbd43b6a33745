package import Coding

/// An entry of a protobuf map. Maps are lists of entries, as their keys are told apart by their bytes; of equal
/// keys the last counts.
package struct MapEntry<Value: MapEntryValue>: Sendable {
  package var key: String
  package var value: Value

  package init(key: String, value: Value) {
    self.key = key
    self.value = value
  }
}

/// What the value of a map can be: a string or a message.
package protocol MapEntryValue: Sendable {
  init()

  /// Reads the value, field 2 of an entry.
  mutating func readEntry(_ reader: inout ProtobufReader) throws(WireError)

  func writeEntry(to writer: inout ProtobufWriter)
}

extension MapEntry {
  init(protobuf message: consuming ProtobufReader) throws(WireError) {
    self.init(key: "", value: Value())
    var reader = message
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: key = try reader.readString()
      case 18: try value.readEntry(&reader)
      default: try reader.skip(tag)
      }
    }
  }

  func write(to writer: inout ProtobufWriter) {
    writer.writeString(1, key)
    value.writeEntry(to: &writer)
  }
}

extension Sequence {
  /// The value of the last entry with `key`.
  package func value<Value>(of key: UTF8String) -> Value? where Element == MapEntry<Value> {
    reduce(nil) { UTF8String($1.key) == key ? $1.value : $0 }
  }
}

extension String: MapEntryValue {
  package mutating func readEntry(_ reader: inout ProtobufReader) throws(WireError) {
    self = try reader.readString()
  }

  package func writeEntry(to writer: inout ProtobufWriter) {
    writer.writeString(2, self)
  }
}

extension MapEntryValue where Self: Message {
  package mutating func readEntry(_ reader: inout ProtobufReader) throws(WireError) {
    var message = try reader.readMessage()
    try merge(from: &message)
  }

  package func writeEntry(to writer: inout ProtobufWriter) {
    writer.writeMessage(2, self)
  }
}

extension V1.Value: MapEntryValue {}
extension WellKnown.Value: MapEntryValue {}
