internal import KeyValue
internal import Synchronization

/// Uploads that come in one request.
extension ObjectStore {
  /// Makes an object of all bytes that `source` gives.
  ///
  /// - Throws: `.invalidArgument`, `.failedPrecondition`, what `source` and `review` throw; nothing is left then.
  package func upload(
    _ request: UploadRequest, from source: some ByteSource, review: ObjectReview? = nil
  ) async throws(StorageError) -> Object {
    let upload = try await beginUpload()
    return try await upload.finish(source, as: request, review: review)
  }

  /// Begins an upload whose metadata is not known yet.
  func beginUpload() async throws(StorageError) -> SingleUpload {
    let blob = BlobID(random)
    memory.withLock { _ = $0.busy.insert(blob) }
    do throws(StorageError) {
      let now = now()
      try await write { try $0.put(.leftover(time: now), for: blob) }
      return SingleUpload(store: self, writer: try await BlobWriter.open(blob, files))
    } catch {
      memory.withLock { _ = $0.busy.remove(blob) }
      throw error
    }
  }
}

/// An upload in one request that has begun.
struct SingleUpload {
  let store: ObjectStore
  let writer: BlobWriter

  func finish(
    _ source: some ByteSource, as request: UploadRequest, review: ObjectReview? = nil
  ) async throws(StorageError) -> Object {
    defer { store.memory.withLock { _ = $0.busy.remove(writer.blob) } }
    do throws(StorageError) {
      let progress = try await write(source)
      return try await store.commit(progress, of: writer.blob, request, review: review) { _ in
        nil
      }
    } catch {
      // What cannot be removed now is found in `uploads` later; the first error is the one to tell.
      try? await store.remove(writer.blob)
      throw error
    }
  }

  /// Writes a piece while the next one comes.
  func write(_ source: some ByteSource) async throws(StorageError) -> BlobProgress {
    var collector = PieceCollector(source)
    var progress = BlobProgress()
    var piece = await collector.next()
    while !piece.isEmpty {
      let (bytes, before) = (piece, progress)
      async let written = appended(bytes, to: before)
      piece = await collector.next()
      progress = try await written.get()
    }
    if let failure = collector.failure { throw failure }
    return progress
  }

  private func appended(
    _ bytes: Pieces, to progress: BlobProgress
  ) async -> Result<BlobProgress, StorageError> {
    do throws(StorageError) {
      return .success(try await writer.append(bytes, to: progress))
    } catch {
      return .failure(error)
    }
  }
}
