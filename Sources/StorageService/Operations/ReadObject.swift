package import ObjectStorage

extension StorageOperations {
  /// The metadata of an object as it is, for a download.
  ///
  /// - Throws: `.notFound`.
  package func readObject(_ name: ObjectName) throws(StorageError) -> Object {
    guard let object = try store.object(name) else {
      throw StorageError(.notFound, "Not Found.")
    }
    return object
  }

  /// Opens the bytes of an object, the first `count` from `offset` at once.
  ///
  /// - Returns: `nil` if it was replaced or deleted meanwhile.
  package func openObject(
    _ object: Object, at offset: Int64, count: Int
  ) async throws(StorageError) -> BlobContent? {
    try await store.open(object, at: offset, count: count)
  }
}
