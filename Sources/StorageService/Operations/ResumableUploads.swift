package import ObjectStorage

extension StorageOperations {
  /// Begins an upload that comes in several requests. Whether `requester` is admitted is decided at its end, when the object is
  /// known.
  ///
  /// - Returns: the id that they name it by.
  package func startUpload(
    _ description: UploadDescription, announcedSize: Int64?, by requester: StorageRequester
  ) async throws(StorageError) -> String {
    var request = try request(description)
    request.author = requester.principal.author
    return try await store.startUpload(request, announcedSize: announcedSize)
  }

  /// - Throws: `.notFound`.
  package func queryUpload(_ id: String) async throws(StorageError) -> UploadStatus {
    try await store.uploadStatus(id)
  }

  /// Adds bytes, and makes the object if they are the last and who began the upload is admitted: the requests that go on with it
  /// often carry no credentials.
  ///
  /// - Throws: `.notFound`, what `source` throws.
  package func continueUpload(
    _ id: String, at offset: Int64?, isLast: Bool,
    expected: ExpectedChecksums = ExpectedChecksums(), from source: some ByteSource
  ) async throws(StorageError) -> UploadAnswer {
    try await store.continueUpload(
      id, at: offset, isLast: isLast, expected: expected, from: source, review: uploadReview)
  }

  /// - Throws: `.notFound`.
  package func cancelUpload(_ id: String) async throws(StorageError) -> UploadAnswer {
    try await store.cancelUpload(id)
  }
}
