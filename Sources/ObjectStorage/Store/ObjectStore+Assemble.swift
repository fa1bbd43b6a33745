/// Objects made of others.
extension ObjectStore {
  /// Makes an object of the bytes of `parts`, one behind the other. They may be replaced meanwhile: what is read is what they were.
  ///
  /// - Throws: `.notFound` if one is gone, `.failedPrecondition`.
  package func assemble(
    _ request: UploadRequest, of parts: [Object]
  ) async throws(StorageError) -> Object {
    var contents: [(BlobContent, size: Int64)] = []
    for part in parts {
      guard let content = try await open(part, count: 0) else { throw StorageError.noObject }
      contents.append((content, part.size))
    }
    return try await upload(request, from: BlobSource(contents))
  }
}

/// The bytes of blobs, one behind the other.
private struct BlobSource: ByteSource {
  private let contents: [(content: BlobContent, size: Int64)]
  private var index = 0
  private var offset: Int64 = 0

  init(_ contents: [(BlobContent, size: Int64)]) {
    self.contents = contents.map { ($0.0, $0.size) }
  }

  mutating func next() async throws(StorageError) -> [UInt8]? {
    while index < contents.count {
      let (content, size) = contents[index]
      let count = min(Int64(BlobContent.pieceSize), size - offset)
      guard count > 0 else {
        index += 1
        offset = 0
        continue
      }
      let bytes = try await content.read(Int(count), at: offset)
      guard !bytes.isEmpty else {
        throw StorageError(.internalError, "the bytes of an object are missing")
      }
      offset += Int64(bytes.count)
      return bytes
    }
    return nil
  }
}
