internal import Coding

// Values from protobuf to JSON, in one pass and without a tree. The bytes must be canonical: they come from the
// store or from the model. Of others what can be read is written, always with the structure of JSON.

extension JSONWriter {
  /// Writes the `Value` in `message`.
  mutating func transcodeValue(_ message: consuming ProtobufReader) {
    beginObject()
    var reader = message
    try? transcodeMembers(&reader)
    endObject()
  }

  /// Every member is read before its name is written, so that an error leaves no name without a value.
  private mutating func transcodeMembers(
    _ reader: inout ProtobufReader
  ) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 8:
        let value = try reader.readBool()
        writeKey("booleanValue")
        writeBool(value)
      case 16:
        let value = try reader.readInt64()
        writeKey("integerValue")
        writeInt64(value)
      case 25:
        let value = try reader.readDouble()
        writeKey("doubleValue")
        writeDouble(value)
      case 88:
        _ = try reader.readVarint()
        writeKey("nullValue")
        writeNull()
      case 82:
        let value = try reader.readTimestamp()
        writeKey("timestampValue")
        writeTimestamp(value)
      default: try transcodeBytes(tag, &reader)
      }
    }
  }

  private mutating func transcodeBytes(
    _ tag: ProtobufTag, _ reader: inout ProtobufReader
  ) throws(WireError) {
    switch tag.rawValue {
    case 138:
      let value = try reader.readSpan()
      writeKey("stringValue")
      writeString(utf8: value)
    case 42:
      let value = try reader.readSpan()
      writeKey("referenceValue")
      writeString(utf8: value)
    case 146:
      let value = try reader.readSpan()
      writeKey("bytesValue")
      writeBase64(value)
    case 50:
      var value = try reader.readMessage()
      writeKey("mapValue")
      transcodeMap(&value)
    case 74:
      let value = try reader.readMessage()
      writeKey("arrayValue")
      transcodeArray(value)
    case 66:
      var value = try reader.readMessage()
      writeKey("geoPointValue")
      beginObject()
      try? transcodeGeoPoint(&value)
      endObject()
    default: try reader.skip(tag)
    }
  }

  /// Defaults are left out of an object, so zeros don't appear.
  private mutating func transcodeGeoPoint(_ reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      switch tag.rawValue {
      case 9:
        let value = try reader.readDouble()
        writeKey("latitude")
        writeDouble(value)
      case 17:
        let value = try reader.readDouble()
        writeKey("longitude")
        writeDouble(value)
      default: try reader.skip(tag)
      }
    }
  }

  /// Writes the `ArrayValue` in `message`; one without values is an empty object.
  mutating func transcodeArray(_ message: consuming ProtobufReader) {
    beginObject()
    var reader = message
    if !reader.isAtEnd {
      writeKey("values")
      beginArray()
      try? transcodeElements(&reader)
      endArray()
    }
    endObject()
  }

  private mutating func transcodeElements(_ reader: inout ProtobufReader) throws(WireError) {
    while let tag = try reader.nextTag() {
      if tag.rawValue == 10 {
        transcodeValue(try reader.readMessage())
      } else {
        try reader.skip(tag)
      }
    }
  }

  private mutating func transcodeMap(_ reader: inout ProtobufReader) {
    beginObject()
    if !reader.isAtEnd {
      writeKey("fields")
      transcodeEntries(&reader, number: 1)
    }
    endObject()
  }

  /// Writes entries with field number `number` as the members of an object.
  mutating func transcodeFields(_ message: consuming ProtobufReader, number: Int) {
    var reader = message
    transcodeEntries(&reader, number: number)
  }

  private mutating func transcodeEntries(_ reader: inout ProtobufReader, number: Int) {
    beginObject()
    try? transcodeEach(&reader, ProtobufTag(number, .lengthDelimited))
    endObject()
  }

  private mutating func transcodeEach(
    _ reader: inout ProtobufReader, _ entryTag: ProtobufTag
  ) throws(WireError) {
    while let tag = try reader.nextTag() {
      guard tag == entryTag else {
        try reader.skip(tag)
        continue
      }
      var entry = try reader.readMessage()
      guard try entry.nextTag()?.rawValue == 10 else { continue }
      let key = try entry.readSpan()
      guard try entry.nextTag()?.rawValue == 18 else { continue }
      let value = try entry.readMessage()
      writeKey(utf8: key)
      transcodeValue(value)
    }
  }
}
