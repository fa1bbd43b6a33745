package import ObjectStorage

extension StorageOperations {
  /// Deletes the current generation of an object, or one that is named.
  ///
  /// - Throws: `.notFound`, `.failedPrecondition`, `.permissionDenied` and `.retained` for one that has to stay.
  package func deleteObject(
    _ name: ObjectName, generation: Int64? = nil, _ preconditions: Preconditions,
    by requester: StorageRequester = StorageRequester(.administrator)
  ) async throws(StorageError) {
    let review = review(.delete, of: name, by: requester)
    try await store.delete(name, generation: generation, preconditions, review: review)
  }

  /// A generation that was deleted and can be restored.
  ///
  /// - Throws: `.notFound`.
  package func findDeleted(
    _ name: ObjectName, generation: Int64
  ) throws(StorageError) -> Object {
    guard
      let object = try store.object(name, generation: generation, isSoftDeleted: true)
    else { throw .missing(name) }
    return object
  }

  /// - Throws: `.notFound`, `.failedPrecondition` if it was not deleted.
  package func restoreObject(
    _ name: ObjectName, generation: Int64, _ preconditions: Preconditions
  ) async throws(StorageError) -> Object {
    try await store.restore(name, generation: generation, preconditions)
  }
}
