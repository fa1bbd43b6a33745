internal import Coding
internal import KeyValue
internal import Synchronization

/// Uploads in numbered parts, in any order, each as often as its sender likes. The upload is a row of `uploads` like any that comes in
/// several requests; its parts are rows behind it.
extension ObjectStore {
  /// Keeps a part, instead of one that had its number.
  ///
  /// - Throws: `.notFound`, `.invalidArgument` for another number or other checksums than announced, what `source` throws.
  package func putPart(
    _ number: Int, of id: String, expected: ExpectedChecksums, from source: some ByteSource
  ) async throws(StorageError) -> UploadPart {
    guard UploadPart.numbers ~= number else {
      throw StorageError(.invalidArgument, "Part numbers are 1 to 10000.")
    }
    let request = try uploadInParts(id)
    let upload = try await beginUpload()
    let blob = upload.writer.blob
    defer { memory.withLock { _ = $0.busy.remove(blob) } }
    do throws(StorageError) {
      let progress = try await upload.write(source)
      let digest = await progress.digest
      let part = UploadPart(
        number: number, size: progress.size, md5: digest.md5.digest,
        crc32c: digest.crc32c.value, blob: blob)
      try expected.check(part.object(request.name))
      try await files.attempt { [files] () throws(StorageError) in try files.place(blob) }
      try await keep(part, of: id)
      return part
    } catch {
      // What cannot be removed now is found in `uploads` later; the first error is the one to tell.
      try? await remove(blob)
      throw error
    }
  }

  private func keep(_ part: UploadPart, of id: String) async throws(StorageError) {
    let now = now()
    let replaced = try await write { transaction -> BlobID? in
      // It may have ended meanwhile.
      guard try transaction.get(.uploads, Keys.upload(BlobID(text: id))) != nil else {
        throw StorageError.noUpload
      }
      let key = Keys.part(part.number, of: id)
      let old = try transaction.get(.uploads, key).map { try UploadRecord(stored: $0) }
      try transaction.put(.uploads, key, UploadRecord.part(part, time: now).stored)
      try transaction.delete(.uploads, Keys.upload(part.blob))
      guard case .part(let old, _) = old else { return nil }
      try transaction.put(.leftover(time: now), for: old.blob)
      return old.blob
    }
    if let replaced { try? await remove(replaced) }
  }

  /// The parts that are here, by their numbers.
  ///
  /// - Throws: `.notFound`.
  package func parts(of id: String) throws(StorageError) -> [UploadPart] {
    _ = try uploadInParts(id)
    return try read { try $0.parts(of: id) }
  }

  /// Makes an object of parts one behind the other, and ends the upload.
  ///
  /// - Throws: `.notFound`, `.failedPrecondition`.
  package func completeParts(
    _ parts: [UploadPart], of id: String
  ) async throws(StorageError) -> Object {
    var request = try uploadInParts(id)
    // Its checksum is that of no object alone.
    request.componentCount = 0
    let name = request.name
    let object = try await assemble(request, of: parts.map { $0.object(name) })
    try await endParts(of: id)
    return object
  }

  /// Ends an upload in parts, and removes those.
  ///
  /// - Throws: `.notFound`.
  package func endParts(of id: String) async throws(StorageError) {
    _ = try uploadInParts(id)
    let now = now()
    let parts = try await write { transaction in
      let parts = try transaction.parts(of: id)
      for part in parts {
        try transaction.delete(.uploads, Keys.part(part.number, of: id))
        try transaction.put(.leftover(time: now), for: part.blob)
      }
      try transaction.delete(.uploads, Keys.upload(BlobID(text: id)))
      return parts
    }
    // What is not removed now is found in `uploads` later.
    for part in parts { try? await remove(part.blob) }
  }

  private func uploadInParts(_ id: String) throws(StorageError) -> UploadRequest {
    guard id.utf8.count == 32,
      let stored = try read({ try $0.get(.uploads, Keys.upload(BlobID(text: id))) }),
      case .resumable(let request, let upload, _) = try UploadRecord(stored: stored),
      upload.phase == .active
    else { throw StorageError.noUpload }
    return request
  }
}

extension StoreReader {
  fileprivate func parts(of id: String) throws -> [UploadPart] {
    let range = KeyRange(from: Keys.part(0, of: id), to: Keys.part(99_999, of: id))
    return try scan(.uploads, range, .ascending, limit: UploadPart.numbers.count).compactMap {
      guard case .part(let part, _) = try UploadRecord(stored: $0.value) else { return nil }
      return part
    }
  }
}
