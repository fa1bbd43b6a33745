package import ObjectStorage

extension StorageOperations {
  /// The metadata of an object as it is, for a download.
  ///
  /// - Throws: `.permissionDenied`, `.notFound`.
  package func readObject(
    _ name: ObjectName, by requester: StorageRequester
  ) throws(StorageError) -> Object {
    let found = try store.object(name)
    try authorizeRead(found, named: name, by: requester)
    guard let object = found else {
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
