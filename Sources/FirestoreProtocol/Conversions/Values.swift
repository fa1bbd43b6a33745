internal import Coding
package import FirestoreModel

extension Value {
  /// - Throws: `INVALID_ARGUMENT` with the text that says what is wrong with the value.
  package init(_ message: V1.Value) throws(FirestoreError) {
    var reader = ProtobufReader(message.bytes.span)
    try self.init(decoding: &reader)
  }
}

extension V1.Value {
  package init(_ value: FirestoreModel.Value) {
    var writer = ProtobufWriter()
    value.encode(to: &writer)
    self.init(bytes: writer.bytes)
  }
}

extension [Value] {
  /// The values of an array.
  ///
  /// - Throws: `INVALID_ARGUMENT` as for a single value.
  package init(_ message: V1.ArrayValue) throws(FirestoreError) {
    var reader = ProtobufReader(message.bytes.span)
    self = try Value.decodeArray(&reader)
  }
}

extension MapValue {
  /// - Throws: `INVALID_ARGUMENT` as for a single value.
  package init(_ message: V1.DocumentFields) throws(FirestoreError) {
    var reader = ProtobufReader(message.bytes.span)
    try self.init(decoding: &reader, number: 2)
  }
}

extension V1.DocumentFields {
  package init(_ fields: StoredFields) {
    self.init(bytes: fields.bytes)
  }

  package init(_ map: MapValue) {
    self.init(StoredFields(map))
  }
}
