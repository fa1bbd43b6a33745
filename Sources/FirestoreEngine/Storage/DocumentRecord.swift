package import FirestoreModel
internal import KeyValue

/// A document as the store holds it, without its name.
///
/// ```
/// 0        8        16
/// | create | update | fields …
/// ```
/// Both times are microseconds since 1970, eight bytes, big end first; the rest are the canonical bytes of the fields.
package struct DocumentRecord: Hashable, Sendable {
  /// The version of the commit that made the document exist.
  package var createVersion: Int64
  /// The version of the last commit that changed it.
  package var updateVersion: Int64
  package var fields: StoredFields

  package init(createVersion: Int64, updateVersion: Int64, fields: StoredFields) {
    self.createVersion = createVersion
    self.updateVersion = updateVersion
    self.fields = fields
  }

  init(decoding bytes: [UInt8]) throws(StoreError) {
    var reader = KeyReader(bytes)
    guard let create = reader.version(), let update = reader.version() else { throw .damaged }
    self.init(
      createVersion: create, updateVersion: update,
      fields: StoredFields(canonical: Array(bytes[16...])))
  }

  var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16 + fields.bytes.count)
    var writer = KeyWriter(bytes)
    writer.version(createVersion)
    writer.version(updateVersion)
    bytes = writer.bytes
    bytes.append(contentsOf: fields.bytes)
    return bytes
  }

  /// The document with its name.
  package func document(named name: DocumentName) -> Document {
    Document(
      name: name, fields: fields, createTime: ReadPoint(version: createVersion).time,
      updateTime: ReadPoint(version: updateVersion).time)
  }
}

extension StoreError {
  static var damaged: StoreError {
    StoreError(.unavailable, "A record in the store can't be read.")
  }
}
