package import ObjectStorage

extension StorageOperations {
  /// - Throws: `.notFound`, `.failedPrecondition`.
  package func deleteObject(
    _ name: ObjectName, _ preconditions: Preconditions
  ) async throws(StorageError) {
    try await store.delete(name, preconditions)
  }
}
