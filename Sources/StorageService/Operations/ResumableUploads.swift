package import ObjectStorage

extension StorageOperations {
  /// Begins an upload that comes in several requests.
  ///
  /// - Returns: the id that they name it by.
  package func startUpload(
    _ description: UploadDescription, announcedSize: Int64?
  ) async throws(StorageError) -> String {
    try await store.startUpload(try request(description), announcedSize: announcedSize)
  }

  /// - Throws: `.notFound`.
  package func queryUpload(_ id: String) async throws(StorageError) -> UploadStatus {
    try await store.uploadStatus(id)
  }

  /// Adds bytes, and makes the object if they are the last. Who began the upload was admitted; the requests that go on with it often
  /// carry no credentials.
  ///
  /// - Throws: `.notFound`, what `source` throws.
  package func continueUpload(
    _ id: String, at offset: Int64?, isLast: Bool,
    expected: ExpectedChecksums = ExpectedChecksums(), from source: some ByteSource
  ) async throws(StorageError) -> UploadAnswer {
    try await store.continueUpload(id, at: offset, isLast: isLast, expected: expected, from: source)
  }

  /// - Throws: `.notFound`.
  package func cancelUpload(_ id: String) async throws(StorageError) -> UploadAnswer {
    try await store.cancelUpload(id)
  }
}
