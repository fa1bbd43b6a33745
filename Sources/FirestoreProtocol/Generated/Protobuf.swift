// swift-format-ignore-file
// Written by Protogen from the schema of google.protobuf.
package import Coding

/// The messages of `google.protobuf`.
package enum WellKnown {}

extension WellKnown {
  /// `google.protobuf.Any`.
  package struct AnyMessage: Message {
    package var typeURL: String = ""
    package var value: [UInt8] = []
    package init() {}
    package init(typeURL: String = "", value: [UInt8] = []) {
      self.typeURL = typeURL
      self.value = value
    }
  }
}

extension WellKnown.AnyMessage {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: typeURL = try reader.readString()
      case 18: value = try reader.readBytes()
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if !typeURL.utf8.isEmpty { writer.writeString(1, typeURL) }
    if !value.isEmpty { writer.writeBytes(2, value) }
  }
}

extension WellKnown {
  /// `google.protobuf.Duration`.
  package struct Duration: Message {
    package var seconds: Int64 = 0
    package var nanos: Int32 = 0
    package init() {}
    package init(seconds: Int64 = 0, nanos: Int32 = 0) {
      self.seconds = seconds
      self.nanos = nanos
    }
  }
}

extension WellKnown.Duration {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 8: seconds = try reader.readInt64()
      case 16: nanos = try reader.readInt32()
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if seconds != 0 { writer.writeInt64(1, seconds) }
    if nanos != 0 { writer.writeInt32(2, nanos) }
  }
}

extension WellKnown {
  /// `google.protobuf.Empty`.
  package struct Empty: Message {
    package init() {}
  }
}

extension WellKnown.Empty {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
  }
  package static let jsonNames: [StaticString] = []
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
  }
  package func writeMembers(to writer: inout JSONWriter) {
  }
}

extension WellKnown {
  /// `google.protobuf.Struct`.
  package struct Struct: Message {
    package var fields: [MapEntry<WellKnown.Value>] = []
    package init() {}
    package init(fields: [MapEntry<WellKnown.Value>] = []) {
      self.fields = fields
    }
  }
}

extension WellKnown.Struct {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: fields.append(try MapEntry(protobuf: reader.readMessage()))
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    for value in fields { writer.writeMessage(1, value) }
  }
}

extension WellKnown {
  /// `google.protobuf.Value`.
  package struct Value: Message {
    package enum Kind: Sendable {
      case nullValue(WellKnown.NullValue)
      case numberValue(Double)
      case stringValue(String)
      case boolValue(Bool)
      case structValue(WellKnown.Struct)
      case listValue(WellKnown.ListValue)
    }
    package var kind: Kind?
    package init() {}
    package init(kind: Kind? = nil) {
      self.kind = kind
    }
  }
}

extension WellKnown.Value {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 8: kind = .nullValue(try WellKnown.NullValue(rawValue: reader.readInt32()))
      case 17: kind = .numberValue(try reader.readDouble())
      case 26: kind = .stringValue(try reader.readString())
      case 32: kind = .boolValue(try reader.readBool())
      case 42:
        var message = WellKnown.Struct()
        if case .structValue(let earlier)? = kind { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        kind = .structValue(message)
      case 50:
        var message = WellKnown.ListValue()
        if case .listValue(let earlier)? = kind { message = earlier }
        var reader = try reader.readMessage()
        try message.merge(from: &reader)
        kind = .listValue(message)
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    switch kind {
    case .nullValue(let value)?: writer.writeInt32(1, value.rawValue)
    case .numberValue(let value)?: writer.writeDouble(2, value)
    case .stringValue(let value)?: writer.writeString(3, value)
    case .boolValue(let value)?: writer.writeBool(4, value)
    case .structValue(let value)?: writer.writeMessage(5, value)
    case .listValue(let value)?: writer.writeMessage(6, value)
    case nil: break
    }
  }
}

extension WellKnown {
  /// `google.protobuf.ListValue`.
  package struct ListValue: Message {
    package var values: [WellKnown.Value] = []
    package init() {}
    package init(values: [WellKnown.Value] = []) {
      self.values = values
    }
  }
}

extension WellKnown.ListValue {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 10: values.append(try WellKnown.Value(protobuf: reader.readMessage()))
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    for value in values { writer.writeMessage(1, value) }
  }
}

extension WellKnown {
  /// `google.protobuf.NullValue`.
  package enum NullValue: WireEnumeration {
    case nullValue
    case unrecognized(Int32)
    package init(rawValue: Int32) {
      switch rawValue {
      case 0: self = .nullValue
      default: self = .unrecognized(rawValue)
      }
    }
    package var rawValue: Int32 {
      switch self {
      case .nullValue: 0
      case .unrecognized(let number): number
      }
    }
    package static let names: [(number: Int32, name: StaticString)] = [
      (0, "NULL_VALUE"),
    ]
  }
}

