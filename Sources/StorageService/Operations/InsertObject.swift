package import ObjectStorage

/// Uploads as Cloud Storage has them: without a disposition and a download token of their own.
extension StorageOperations {
  /// Makes an object of the bytes of `source`.
  ///
  /// - Throws: `.invalidArgument`, `.failedPrecondition`, what `source` throws.
  package func insertObject(
    _ description: UploadDescription, from source: some ByteSource
  ) async throws(StorageError) -> Object {
    try await store.upload(try insertion(description), from: source)
  }

  /// Begins an upload that comes in several requests.
  ///
  /// - Returns: the id that they name it by.
  /// - Throws: `.failedPrecondition` if its conditions do not hold now, though they count only at the end.
  package func startInsertion(
    _ description: UploadDescription, announcedSize: Int64?
  ) async throws(StorageError) -> String {
    try description.preconditions.check(try store.object(description.name))
    return try await store.startUpload(
      try insertion(description), announcedSize: announcedSize)
  }

  private func insertion(
    _ description: UploadDescription
  ) throws(StorageError) -> UploadRequest {
    var attributes = ObjectAttributes()
    try attributes.apply(description.changes)
    var request = UploadRequest(
      name: description.name, attributes: attributes, tokens: description.changes.tokens ?? [],
      expected: description.expected)
    request.preconditions = description.preconditions
    return request
  }
}
