package import ObjectStorage

extension StorageOperations {
  /// Changes the metadata of an object.
  ///
  /// - Throws: `.notFound`, `.failedPrecondition`, `.invalidArgument`.
  package func updateObject(
    _ name: ObjectName, _ changes: AttributeChanges, _ preconditions: Preconditions
  ) async throws(StorageError) -> Object {
    try await store.update(name, preconditions) { object throws(StorageError) in
      try object.attributes.apply(changes)
      if let tokens = changes.tokens { object.tokens = tokens }
      return true
    }
  }
}
