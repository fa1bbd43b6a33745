internal import Coding

// Values from JSON to protobuf, in one pass and without a tree. Only the shape is checked here.

extension JSONReader {
  /// Appends the members of the `Value` that comes next.
  mutating func transcodeValue(to writer: inout ProtobufWriter) throws(JSONError) {
    let start = writer.bytes.count
    var found: ValueMember?
    try beginObject()
    while let name = try nextMember(of: ValueMember.names) {
      guard let member = ValueMember(rawValue: name / 2) else { throw wrongValue() }
      if member != .null, try skipNull() { continue }
      guard found == nil || found == member else { throw wrongValue() }
      if found != nil { writer.bytes.removeSubrange(start...) }
      found = member
      try transcode(member, to: &writer)
    }
  }

  private mutating func transcode(
    _ member: ValueMember, to writer: inout ProtobufWriter
  ) throws(JSONError) {
    switch member {
    case .string, .reference, .fieldReference, .variableReference:
      try transcodeString(member.number, to: &writer)
    case .integer: writer.writeInt64(member.number, try readInt64Member())
    case .boolean: writer.writeBool(member.number, try readBoolMember())
    case .double: writer.writeDouble(member.number, try readDoubleMember())
    case .timestamp: writer.writeTimestamp(member.number, try readTimestampMember())
    case .bytes: writer.writeBytes(member.number, try readBytesMember())
    case .null:
      try readNullMember()
      writer.writeInt32(member.number, 0)
    case .geoPoint:
      let start = writer.begin(member.number)
      try transcodeGeoPoint(to: &writer)
      writer.end(start)
    case .array:
      let start = writer.begin(member.number)
      try transcodeArray(to: &writer)
      writer.end(start)
    case .map:
      let start = writer.begin(member.number)
      try transcodeMap(to: &writer)
      writer.end(start)
    case .function: writer.writeMessage(member.number, try V1.Function(json: &self))
    case .pipeline: writer.writeMessage(member.number, try V1.Pipeline(json: &self))
    }
  }

  private mutating func transcodeString(
    _ number: Int, to writer: inout ProtobufWriter
  ) throws(JSONError) {
    guard try peek() == .string else {
      writer.writeString(number, try readStringMember())
      return
    }
    let start = writer.begin(number)
    try readString(into: &writer.bytes)
    writer.end(start)
  }

  /// `null`, the name of its enumeration or a number.
  private mutating func readNullMember() throws(JSONError) {
    guard try !skipNull() else { return }
    _ = try WellKnown.NullValue(json: &self)
  }

  private mutating func transcodeGeoPoint(to writer: inout ProtobufWriter) throws(JSONError) {
    try beginObject()
    while let name = try nextMember(of: ["latitude", "longitude"]) {
      guard try !skipNull() else { continue }
      writer.writeDouble(name + 1, try readDoubleMember())
    }
  }

  /// Appends the values of the `ArrayValue` that comes next.
  mutating func transcodeArray(to writer: inout ProtobufWriter) throws(JSONError) {
    let start = writer.bytes.count
    try beginObject()
    while try nextMember(of: ["values"]) != nil {
      guard try !skipNull() else { continue }
      if writer.bytes.count > start { writer.bytes.removeSubrange(start...) }
      try beginArray()
      while try nextElement() {
        let start = writer.begin(1)
        try transcodeValue(to: &writer)
        writer.end(start)
      }
    }
  }

  private mutating func transcodeMap(to writer: inout ProtobufWriter) throws(JSONError) {
    let start = writer.bytes.count
    try beginObject()
    while try nextMember(of: ["fields"]) != nil {
      guard try !skipNull() else { continue }
      if writer.bytes.count > start { writer.bytes.removeSubrange(start...) }
      try transcodeFields(to: &writer, number: 1)
    }
  }

  /// Appends the members of the object that comes next as entries with field number `number`.
  mutating func transcodeFields(
    to writer: inout ProtobufWriter, number: Int
  ) throws(JSONError) {
    try beginObject()
    while try nextKeyFollows() {
      let start = writer.begin(number)
      let key = writer.begin(1)
      try readKey(into: &writer.bytes)
      writer.end(key)
      let value = writer.begin(2)
      try transcodeValue(to: &writer)
      writer.end(value)
      writer.end(start)
    }
  }
}
