package import ObjectStorage

extension StorageOperations {
  /// One page of the names of a bucket, all of them.
  ///
  /// - Throws: `.invalidArgument`.
  package func listAllObjects(_ request: ListRequest) async throws(StorageError) -> ObjectListing {
    try await store.list(request)
  }
}
