/// The bytes of one generation of an object, readable as long as this is held.
package struct BlobContent: Sendable {
  /// What is read at a time.
  package static let pieceSize = 256 << 10

  private let file: any BlobFile
  private let files: any BlobFiles
  /// The piece that was read when the file was opened: a small object needs no other.
  private let first: (offset: Int64, bytes: [UInt8])

  /// Opens a blob and reads the piece at `offset`; `nil` if it is gone.
  static func open(
    _ blob: BlobID, at offset: Int64, count: Int, _ files: any BlobFiles
  ) async throws(StorageError) -> BlobContent? {
    try await files.attempt { () throws(StorageError) in
      guard let file = try files.open(blob) else { return nil }
      let bytes = count > 0 ? try file.read(count, at: offset) : []
      return BlobContent(file: file, files: files, first: (offset, bytes))
    }
  }

  /// Gives at most `count` bytes from `offset` on to another open descriptor, which does not block. If it takes fewer, at most
  /// `overhang` of those behind are read.
  ///
  /// - Returns: how many it took, and what was read.
  package func copy(
    _ count: Int, at offset: Int64, to descriptor: Int32, overhang: Int
  ) async throws(StorageError) -> (sent: Int, rest: [UInt8]) {
    try await files.attempt { [file] () throws(StorageError) in
      let sent = try file.copy(count, at: offset, to: descriptor)
      guard sent < count else { return (sent, []) }
      return (sent, try file.read(min(overhang, count - sent), at: offset + Int64(sent)))
    }
  }

  /// At most `count` bytes from `offset` on; fewer only at the end.
  package func read(_ count: Int, at offset: Int64) async throws(StorageError) -> [UInt8] {
    if offset == first.offset, first.bytes.count >= count { return first.bytes }
    return try await files.attempt { [file] () throws(StorageError) in
      try file.read(count, at: offset)
    }
  }
}
