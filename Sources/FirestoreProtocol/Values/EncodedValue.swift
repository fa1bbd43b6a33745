package import Coding

extension V1 {
  /// `google.firestore.v1.Value` as its protobuf bytes: `FirestoreModel.Value` says what of them is valid.
  package struct Value: Message {
    package var bytes: [UInt8] = []

    package init() {}

    package init(bytes: [UInt8]) {
      self.bytes = bytes
    }
  }

  /// `google.firestore.v1.ArrayValue` as its protobuf bytes.
  package struct ArrayValue: Message {
    package var bytes: [UInt8] = []

    package init() {}
  }

  /// The fields of a `google.firestore.v1.Document`: their entries as they stand in the message, with the tag of
  /// field 2. So the bytes of a `StoredFields` go in and out unchanged.
  package struct DocumentFields: Sendable {
    package var bytes: [UInt8] = []

    package init() {}

    package init(bytes: [UInt8]) {
      self.bytes = bytes
    }

    /// Appends an entry; `remaining` is the number of bytes that may still follow it.
    mutating func append(entry: Span<UInt8>, remaining: Int) {
      if bytes.isEmpty { bytes.reserveCapacity(entry.count + remaining + 8) }
      var writer = ProtobufWriter(bytes)
      bytes = []
      writer.writeBytes(2, entry)
      bytes = writer.bytes
    }
  }
}

// MARK: - Protobuf

extension V1.Value {
  /// Of a value that comes in parts the bytes are joined, which is what merging them means.
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    bytes.append(reader.readRest())
  }

  package func write(to writer: inout ProtobufWriter) {
    writer.append(bytes)
  }
}

extension V1.ArrayValue {
  package mutating func merge(from reader: inout ProtobufReader) throws(WireError) {
    bytes.append(reader.readRest())
  }

  package func write(to writer: inout ProtobufWriter) {
    writer.append(bytes)
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ content: Span<UInt8>) {
    var writer = ProtobufWriter(self)
    self = []
    writer.append(content)
    self = writer.bytes
  }
}

// MARK: - JSON

extension V1.Value {
  package init(json reader: inout JSONReader) throws(JSONError) {
    var writer = ProtobufWriter()
    try reader.transcodeValue(to: &writer)
    bytes = writer.bytes
  }

  package func write(to writer: inout JSONWriter) {
    writer.transcodeValue(ProtobufReader(bytes.span))
  }
}

extension V1.ArrayValue {
  package init(json reader: inout JSONReader) throws(JSONError) {
    var writer = ProtobufWriter()
    try reader.transcodeArray(to: &writer)
    bytes = writer.bytes
  }

  package func write(to writer: inout JSONWriter) {
    writer.transcodeArray(ProtobufReader(bytes.span))
  }
}

extension V1.DocumentFields {
  package init(json reader: inout JSONReader) throws(JSONError) {
    var writer = ProtobufWriter()
    try reader.transcodeFields(to: &writer, number: 2)
    bytes = writer.bytes
  }

  package func write(to writer: inout JSONWriter) {
    writer.transcodeFields(ProtobufReader(bytes.span), number: 2)
  }
}
