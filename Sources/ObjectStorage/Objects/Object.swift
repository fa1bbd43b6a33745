internal import Coding

/// What is known of an object: everything but its bytes.
package struct Object: Hashable, Sendable {
  package var name: ObjectName
  /// Microseconds since 1970 when the bytes were committed, made greater than every earlier one of the server.
  package var generation: Int64
  /// Counts the changes of the metadata of this generation, from 1.
  package var metageneration: Int64 = 1
  package var size: Int64
  /// 16 bytes.
  package var md5: [UInt8]
  package var crc32c: UInt32
  package var attributes: ObjectAttributes
  /// What opens the object without credentials, oldest first.
  package var tokens: [String]
  /// Microseconds since 1970.
  package var created: Int64
  /// Microseconds since 1970 when metadata changed last.
  package var updated: Int64
  /// The file that holds the bytes.
  package var blob: BlobID

  /// Changes with the content and with the metadata: base64 of `08 varint(generation) 10 varint(metageneration)`.
  package var etag: String {
    var writer = ProtobufWriter()
    writer.writeInt64(1, generation)
    writer.writeInt64(2, metageneration)
    return Base64.encode(writer.bytes)
  }

  /// The checksum as it is written: base64 of four bytes, the highest first.
  package var crc32cText: String {
    Base64.encode((0..<4).map { UInt8(truncatingIfNeeded: crc32c >> (24 - 8 * $0)) })
  }

  /// The checksum as it is written, in base64.
  package var md5Text: String { Base64.encode(md5) }

  /// Notes that metadata changed.
  mutating func touch(_ now: Int64) {
    metageneration += 1
    updated = max(now, updated)
  }
}
