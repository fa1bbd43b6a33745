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

  /// Gives at most `count` bytes from `offset` on to another open descriptor, which does not block.
  ///
  /// - Returns: how many; 0 if it takes none now.
  package func copy(
    _ count: Int, at offset: Int64, to descriptor: Int32
  ) async throws(StorageError) -> Int {
    try await files.attempt { [file] () throws(StorageError) in
      try file.copy(count, at: offset, to: descriptor)
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
