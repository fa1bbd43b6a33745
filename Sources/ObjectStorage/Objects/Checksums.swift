internal import Coding

/// MD5 and CRC-32C of the bytes of an upload, as they come.
struct ContentDigest: Sendable {
  private(set) var md5 = MD5()
  private(set) var crc32c = CRC32C()

  private mutating func update(_ bytes: Span<UInt8>) {
    md5.update(bytes)
    crc32c.update(bytes)
  }

  /// Those with `bytes` behind what came before.
  func adding(_ bytes: Pieces) -> ContentDigest {
    var digest = self
    for piece in bytes.arrays { digest.update(piece.span) }
    return digest
  }
}

/// What the sender of bytes says that their checksums are.
package struct ExpectedChecksums: Hashable, Sendable {
  /// Base64 of 16 bytes.
  package var md5: String?
  /// Base64 of four bytes, the highest first.
  package var crc32c: String?
  /// What was said later, and has to be true as well.
  private var later: [ExpectedChecksums] = []

  package init() {}

  /// Those of `other` have to be true as well.
  package mutating func add(_ other: ExpectedChecksums) {
    let isNew = (md5 == nil || other.md5 == nil) && (crc32c == nil || other.crc32c == nil)
    guard isNew else { return later.append(other) }
    md5 = other.md5 ?? md5
    crc32c = other.crc32c ?? crc32c
  }

  /// - Throws: `.invalidArgument` if bytes with the checksums of `object` are others.
  func check(_ object: Object) throws(StorageError) {
    for other in later { try other.check(object) }
    if let md5, Base64.decode(md5) != object.md5 {
      throw StorageError(
        .invalidArgument,
        "Provided MD5 hash \"\(md5)\" doesn't match calculated MD5 hash \"\(object.md5Text ?? "")\"."
      )
    }
    if let crc32c, Base64.decode(crc32c) != Base64.decode(object.crc32cText) {
      throw StorageError(
        .invalidArgument,
        "Provided CRC32C \"\(crc32c)\" doesn't match calculated CRC32C \"\(object.crc32cText)\".")
    }
  }
}
