/// The fields of a document in their stored form: canonical protobuf bytes.
///
/// The bytes are those of the entries of `google.firestore.v1.Document.fields` (field 2, tags included): names sorted
/// by UTF-8 bytes at every level, each once, times cut to microseconds, unknown fields gone, defaults of oneof members
/// written. So they go out over gRPC as they are, and equal bytes mean that a write changed nothing.
package struct StoredFields: Hashable, Sendable {
  package let bytes: [UInt8]

  /// `bytes` must be canonical: read from the store, or made by this type.
  package init(canonical bytes: [UInt8]) {
    self.bytes = bytes
  }
}
