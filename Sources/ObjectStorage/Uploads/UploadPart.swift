/// A part of an object that comes in numbered parts.
package struct UploadPart: Hashable, Sendable {
  package static let numbers = 1...10_000

  package let number: Int
  package let size: Int64
  /// 16 bytes.
  package let md5: [UInt8]
  package let crc32c: UInt32
  let blob: BlobID

  /// The part as an object by itself, which it never is.
  package func object(_ name: ObjectName) -> Object {
    Object(
      name: name, generation: 0, size: size, md5: md5, crc32c: crc32c,
      attributes: ObjectAttributes(), tokens: [], created: 0, updated: 0, blob: blob)
  }
}
