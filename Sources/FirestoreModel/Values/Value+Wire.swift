package import Coding

// The binary form of `google.firestore.v1.Value`, `MapValue` and `ArrayValue`: read tolerantly from clients, written
// canonically. What is written here is also the stored form.

/// Field numbers of `Value`.
private enum Number {
  static let boolean = 1
  static let integer = 2
  static let double = 3
  static let reference = 5
  static let map = 6
  static let geoPoint = 8
  static let array = 9
  static let timestamp = 10
  static let null = 11
  static let string = 17
  static let bytes = 18
}

// MARK: - Writing

extension Value {
  /// Appends the one member of the message `Value`, without a tag and length around it.
  package func encode(to writer: inout ProtobufWriter) {
    switch self {
    case .null: writer.writeUInt64(Number.null, 0)
    case .boolean(let boolean): writer.writeBool(Number.boolean, boolean)
    case .integer(let integer): writer.writeInt64(Number.integer, integer)
    case .double(let double): writer.writeDouble(Number.double, double)
    case .timestamp(let time):
      writer.writeMessage(Number.timestamp) { writer in
        if time.seconds != 0 { writer.writeInt64(1, time.seconds) }
        if time.nanos != 0 { writer.writeInt32(2, time.nanos) }
      }
    case .string(let text): writer.writeString(Number.string, text.string)
    case .bytes(let bytes): writer.writeBytes(Number.bytes, bytes)
    case .reference(let name): writer.writeString(Number.reference, name.text)
    case .geoPoint(let point):
      writer.writeMessage(Number.geoPoint) { writer in
        if point.latitude.bitPattern != 0 { writer.writeDouble(1, point.latitude) }
        if point.longitude.bitPattern != 0 { writer.writeDouble(2, point.longitude) }
      }
    case .array(let values):
      writer.writeMessage(Number.array) { Value.encode(values, to: &$0) }
    case .vector(let numbers):
      writer.writeMessage(Number.map) { Value.vectorMap(numbers).encode(to: &$0) }
    case .map(let map):
      writer.writeMessage(Number.map) { map.encode(to: &$0) }
    }
  }

  /// Appends the fields of an `ArrayValue`.
  package static func encode(_ values: [Value], to writer: inout ProtobufWriter) {
    for value in values {
      writer.writeMessage(1) { value.encode(to: &$0) }
    }
  }

  /// The map that a vector is on the wire.
  package static func vectorMap(_ numbers: [Double]) -> MapValue {
    MapValue([
      MapValue.Field(name: "__type__", value: .string("__vector__")),
      MapValue.Field(name: "value", value: .array(numbers.map { .double($0) })),
    ])
  }
}

extension MapValue {
  /// Appends the entries as field `number`: 1 in a `MapValue`, 2 in a `Document`.
  package func encode(to writer: inout ProtobufWriter, number: Int = 1) {
    for field in fields {
      writer.writeMessage(number) { writer in
        writer.writeString(1, field.name.string)
        writer.writeMessage(2) { field.value.encode(to: &$0) }
      }
    }
  }
}

// MARK: - Reading

extension Value {
  /// Reads a message `Value` to its end; the last member counts.
  ///
  /// - Throws: `INVALID_ARGUMENT`, also where the bytes are no message.
  package init(decoding reader: inout ProtobufReader) throws(FirestoreError) {
    var value: Value?
    while let tag = try nextTag(&reader) {
      if let member = try Value.member(tag, &reader) { value = member }
    }
    guard let value else { throw .valueUnset }
    self = value
  }

  /// Reads an `ArrayValue` to its end.
  ///
  /// - Throws: `INVALID_ARGUMENT`, also where the bytes are no message.
  package static func decodeArray(
    _ reader: inout ProtobufReader
  ) throws(FirestoreError) -> [Value] {
    var values: [Value] = []
    while let tag = try nextTag(&reader) {
      if tag == ProtobufTag(1, .lengthDelimited) {
        var inner = try message(&reader)
        values.append(try Value(decoding: &inner))
      } else {
        try skip(tag, &reader)
      }
    }
    return values
  }

  private static func member(
    _ tag: ProtobufTag, _ reader: inout ProtobufReader
  ) throws(FirestoreError) -> Value? {
    do {
      switch (tag.number, tag.wireType) {
      case (Number.null, .varint):
        _ = try reader.readVarint()
        return .null
      case (Number.boolean, .varint): return .boolean(try reader.readBool())
      case (Number.integer, .varint): return .integer(try reader.readInt64())
      case (Number.double, .fixed64): return Value(try reader.readDouble())
      case (Number.string, .lengthDelimited): return .string(UTF8String(try reader.readString()))
      case (Number.bytes, .lengthDelimited): return .bytes(try reader.readBytes())
      case (Number.reference, .lengthDelimited):
        return try Value(checkingReference: reader.readString())
      case (Number.timestamp, .lengthDelimited):
        return try Value(checking: Timestamp(decoding: reader.readMessage()))
      case (Number.geoPoint, .lengthDelimited):
        return try Value(checking: GeoPoint(decoding: reader.readMessage()))
      case (Number.array, .lengthDelimited):
        var inner = try reader.readMessage()
        return .array(try decodeArray(&inner))
      case (Number.map, .lengthDelimited):
        var inner = try reader.readMessage()
        return try Value(checking: MapValue(decoding: &inner))
      case (19, .lengthDelimited): throw unsupported("FIELD_REFERENCE_VALUE")
      case (20, .lengthDelimited): throw unsupported("FUNCTION_VALUE")
      case (21, .lengthDelimited): throw unsupported("PIPELINE_VALUE")
      case (22, .lengthDelimited): throw unsupported("VARIABLE_REFERENCE_VALUE")
      default:
        try reader.skip(tag)
        return nil
      }
    } catch let error as WireError {
      throw FirestoreError(error)
    } catch let error as FirestoreError {
      throw error
    } catch {
      throw FirestoreError(.internalError, "Internal error.")
    }
  }

  private static func unsupported(_ member: String) -> FirestoreError {
    .invalidArgument("Value type is not supported: \(member)")
  }
}

extension MapValue {
  /// Reads entries with field number `number` to the end of the message: 1 of a `MapValue`, 2 of a `Document`;
  /// other fields are passed over. Of equal names the last counts.
  ///
  /// - Throws: `INVALID_ARGUMENT`, also where the bytes are no message.
  package init(
    decoding reader: inout ProtobufReader, number: Int = 1
  ) throws(FirestoreError) {
    var fields: [Field] = []
    while let tag = try nextTag(&reader) {
      if tag == ProtobufTag(number, .lengthDelimited) {
        var entry = try message(&reader)
        fields.append(try Field(decoding: &entry))
      } else {
        try skip(tag, &reader)
      }
    }
    self.init(fields)
  }
}

extension MapValue.Field {
  fileprivate init(decoding reader: inout ProtobufReader) throws(FirestoreError) {
    var name = UTF8String("")
    var value: Value?
    while let tag = try nextTag(&reader) {
      switch tag {
      case ProtobufTag(1, .lengthDelimited): name = UTF8String(try string(&reader))
      case ProtobufTag(2, .lengthDelimited):
        var inner = try message(&reader)
        value = try Value(decoding: &inner)
      default: try skip(tag, &reader)
      }
    }
    guard let value else { throw .valueUnset }
    self.init(name: name, value: value)
  }
}

extension Timestamp {
  fileprivate init(decoding message: consuming ProtobufReader) throws(WireError) {
    self.init(seconds: 0, nanos: 0)
    var reader = message
    while let tag = try reader.nextTag() {
      switch tag {
      case ProtobufTag(1, .varint): seconds = try reader.readInt64()
      case ProtobufTag(2, .varint): nanos = try reader.readInt32()
      default: try reader.skip(tag)
      }
    }
  }
}

extension GeoPoint {
  fileprivate init(decoding message: consuming ProtobufReader) throws(WireError) {
    self.init(latitude: 0, longitude: 0)
    var reader = message
    while let tag = try reader.nextTag() {
      switch tag {
      case ProtobufTag(1, .fixed64): latitude = try reader.readDouble()
      case ProtobufTag(2, .fixed64): longitude = try reader.readDouble()
      default: try reader.skip(tag)
      }
    }
  }
}

// MARK: - Steps with the error of this layer

private func nextTag(
  _ reader: inout ProtobufReader
) throws(FirestoreError) -> ProtobufTag? {
  do throws(WireError) { return try reader.nextTag() } catch { throw FirestoreError(error) }
}

private func string(_ reader: inout ProtobufReader) throws(FirestoreError) -> String {
  do throws(WireError) { return try reader.readString() } catch { throw FirestoreError(error) }
}

private func skip(
  _ tag: ProtobufTag, _ reader: inout ProtobufReader
) throws(FirestoreError) {
  do throws(WireError) { try reader.skip(tag) } catch { throw FirestoreError(error) }
}

@_lifetime(copy reader)
private func message(
  _ reader: inout ProtobufReader
) throws(FirestoreError) -> ProtobufReader {
  do throws(WireError) { return try reader.readMessage() } catch { throw FirestoreError(error) }
}
