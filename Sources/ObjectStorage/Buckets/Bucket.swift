package import Coding

/// What is known of a bucket.
package struct Bucket: Hashable, Sendable {
  package let name: UTF8String
  /// Microseconds since 1970.
  package var created: Int64
  /// Microseconds since 1970 when it changed last.
  package var updated: Int64
  /// Counts the changes, from 1.
  package var metageneration: Int64 = 1
  /// What users have set, kept as it came: labels, versioning, lifecycle and the like.
  package var settings: [UTF8String: JSONValue]

  init(name: UTF8String, created: Int64, settings: [UTF8String: JSONValue] = [:]) {
    self.name = name
    self.created = created
    updated = created
    self.settings = settings
  }

  /// Changes with the settings: base64 of `08 varint(metageneration)`.
  package var etag: String {
    var writer = ProtobufWriter()
    writer.writeInt64(1, metageneration)
    return Base64.encode(writer.bytes)
  }
}

/// Buckets as the store has them: nothing but the time in the form that came first, else a zero byte and a message.
///
/// ```
/// varint(created)    or    00   1 created   2 updated   3 metageneration   4 settings, JSON
/// ```
extension Bucket {
  var stored: [UInt8] {
    var writer = ProtobufWriter()
    writer.writeInt64(1, created)
    writer.writeInt64(2, updated)
    writer.writeInt64(3, metageneration)
    writer.writeBytes(4, JSONValue.object(settings).bytes)
    return [0] + writer.bytes
  }

  /// - Throws: `.internalError` for bytes that `stored` did not make.
  init(_ name: UTF8String, stored: [UInt8]) throws(StorageError) {
    self.init(name: name, created: 0)
    do throws(WireError) {
      guard stored.first == 0 else {
        var reader = ProtobufReader(stored.span)
        created = try reader.readInt64()
        updated = created
        return
      }
      let message = Array(stored.dropFirst())
      var reader = ProtobufReader(message.span)
      while let tag = try reader.nextTag() {
        switch tag.number {
        case 1: created = try reader.readInt64()
        case 2: updated = try reader.readInt64()
        case 3: metageneration = try reader.readInt64()
        case 4: settings = (try? JSONValue(try reader.readBytes()))?.members ?? [:]
        default: try reader.skip(tag)
        }
      }
    } catch {
      throw StorageError(error)
    }
  }
}
