/// How far a blob is written, with the checksums of that.
struct BlobProgress: Sendable {
  private enum Digest {
    case known(ContentDigest)
    case coming(Task<ContentDigest, Never>)
  }

  let size: Int64
  private let state: Digest

  init(size: Int64 = 0, digest: ContentDigest = ContentDigest()) {
    self.size = size
    state = .known(digest)
  }

  init(size: Int64, coming digest: Task<ContentDigest, Never>) {
    self.size = size
    state = .coming(digest)
  }

  /// The checksums, when they are computed.
  var digest: ContentDigest {
    get async {
      switch state {
      case .known(let digest): digest
      case .coming(let task): await task.value
      }
    }
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

  /// What `progress` is with `bytes` behind it. Their checksums may still be at work then, but not those of what was before.
  func append(
    _ bytes: Pieces, to progress: BlobProgress
  ) async throws(StorageError) -> BlobProgress {
    let size = progress.size + Int64(bytes.count)
    guard bytes.count >= Self.splitSize else {
      let before = await progress.digest
      return try await files.attempt { () throws(StorageError) in
        try write(bytes, at: progress.size)
        return BlobProgress(size: size, digest: before.adding(bytes))
      }
    }
    async let written = files.attempt { () throws(StorageError) in
      try write(bytes, at: progress.size)
    }
    let before = await progress.digest
    // It outlives this call: MD5 takes longer than all else and must not wait for it. Whoever has the progress waits for the
    // task in the end; one that nobody waits for ends with its piece.
    let digest = Task.immediate { [files] in await files.offload { before.adding(bytes) } }
    do {
      try await written
    } catch {
      throw StorageError(error)
    }
    return BlobProgress(size: size, coming: digest)
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
      let before = await progress.digest
      let next = try await files.attempt { [file, progress] () throws(StorageError) in
        let bytes = try file.read(Self.rereadSize, at: progress.size)
        return bytes.isEmpty
          ? nil
          : BlobProgress(
            size: progress.size + Int64(bytes.count), digest: before.adding(Pieces(bytes)))
      }
      guard let next else { return progress }
      progress = next
    }
  }
}
