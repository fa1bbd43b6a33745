/// How far a blob is written, with the checksums of that.
struct BlobProgress: Sendable {
  private(set) var size: Int64 = 0
  private(set) var digest = ContentDigest()

  /// What it is with `bytes` behind it.
  func adding(_ bytes: Pieces) -> BlobProgress {
    var progress = self
    for piece in bytes.arrays {
      progress.digest.update(piece.span)
      progress.size += Int64(piece.count)
    }
    return progress
  }
}

/// A blob that is open for writing.
struct BlobWriter: Sendable {
  /// What is read at a time to compute checksums anew.
  private static let rereadSize = 1 << 20
  /// From how many bytes on it is worth two threads to write them and to compute their checksums.
  private static let splitSize = 128 << 10

  let blob: BlobID
  let file: any BlobFile
  private let files: any BlobFiles

  static func open(
    _ blob: BlobID, _ files: any BlobFiles
  ) async throws(StorageError) -> BlobWriter {
    try await files.attempt { () throws(StorageError) in
      BlobWriter(blob: blob, file: try files.openForWriting(blob), files: files)
    }
  }

  private init(blob: BlobID, file: any BlobFile, files: any BlobFiles) {
    self.blob = blob
    self.file = file
    self.files = files
  }

  /// What `progress` is with `bytes` behind it.
  func append(
    _ bytes: Pieces, to progress: BlobProgress
  ) async throws(StorageError) -> BlobProgress {
    guard bytes.count >= Self.splitSize else {
      return try await files.attempt { () throws(StorageError) in
        try write(bytes, at: progress.size)
        return progress.adding(bytes)
      }
    }
    async let written = files.attempt { () throws(StorageError) in
      try write(bytes, at: progress.size)
    }
    async let added = files.offload { progress.adding(bytes) }
    let next = await added
    do {
      try await written
    } catch {
      throw StorageError(error)
    }
    return next
  }

  private func write(_ bytes: Pieces, at offset: Int64) throws(StorageError) {
    var offset = offset
    for piece in bytes.arrays {
      try file.write(piece, at: offset)
      offset += Int64(piece.count)
    }
  }

  /// How far the file is, by reading it.
  func measure() async throws(StorageError) -> BlobProgress {
    var progress = BlobProgress()
    while true {
      let next = try await files.attempt { [file, progress] () throws(StorageError) in
        let bytes = try file.read(Self.rereadSize, at: progress.size)
        return bytes.isEmpty ? nil : progress.adding(Pieces(bytes))
      }
      guard let next else { return progress }
      progress = next
    }
  }
}
