/// How far a blob is written, with the checksums of that.
struct BlobProgress: Sendable {
  private(set) var size: Int64 = 0
  private(set) var digest = ContentDigest()

  mutating func note(_ bytes: [UInt8]) {
    digest.update(bytes.span)
    size += Int64(bytes.count)
  }
}

/// A blob that is open for writing.
struct BlobWriter: Sendable {
  /// What is read at a time to compute checksums anew.
  private static let rereadSize = 1 << 20

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
    _ bytes: [UInt8], to progress: BlobProgress
  ) async throws(StorageError) -> BlobProgress {
    try await files.attempt { [file] () throws(StorageError) in
      try file.write(bytes, at: progress.size)
      var progress = progress
      progress.note(bytes)
      return progress
    }
  }

  /// How far the file is, by reading it.
  func measure() async throws(StorageError) -> BlobProgress {
    var progress = BlobProgress()
    while true {
      let offset = progress.size
      let bytes = try await files.attempt { [file] () throws(StorageError) in
        try file.read(Self.rereadSize, at: offset)
      }
      if bytes.isEmpty { return progress }
      progress.note(bytes)
    }
  }
}
