// swift-format-ignore-file
// Written by Protogen from the schema of google.rpc.
package import Coding

/// The messages of `google.rpc`.
package enum RPC {}

extension RPC {
  /// `google.rpc.Status`.
  package struct Status: Message {
    package var code: Int32 = 0
    package var message: String = ""
    package var details: [WellKnown.AnyMessage] = []
    package init() {}
    package init(code: Int32 = 0, message: String = "", details: [WellKnown.AnyMessage] = []) {
      self.code = code
      self.message = message
      self.details = details
    }
  }
}

extension RPC.Status {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 8: code = try reader.readInt32()
      case 18: message = try reader.readString()
      case 26: details.append(try WellKnown.AnyMessage(protobuf: reader.readMessage()))
      default: try reader.skip(tag)
      }
    }
  }
  package func write(to writer: inout ProtobufWriter) {
    if code != 0 { writer.writeInt32(1, code) }
    if !message.utf8.isEmpty { writer.writeString(2, message) }
    for value in details { writer.writeMessage(3, value) }
  }
  package static let jsonNames: [StaticString] = ["code", "code", "message", "message", "details", "details"]
  package mutating func readMember(_ index: Int, _ reader: inout JSONReader) throws(JSONError) {
    switch index {
    case 0: code = try reader.readInt32Member()
    case 1: message = try reader.readStringMember()
    case 2:
      details = []
      try reader.beginArray()
      while try reader.nextElement() { details.append(try WellKnown.AnyMessage(json: &reader)) }
    default: throw reader.wrongValue()
    }
  }
  package func writeMembers(to writer: inout JSONWriter) {
    if code != 0 {
      writer.writeKey("code")
      writer.writeInt32(code)
    }
    if !message.utf8.isEmpty {
      writer.writeKey("message")
      writer.writeString(message)
    }
    if !details.isEmpty {
      writer.writeKey("details")
      writer.beginArray()
      for value in details { value.write(to: &writer) }
      writer.endArray()
    }
  }
}

