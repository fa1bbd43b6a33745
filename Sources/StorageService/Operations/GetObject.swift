package import ObjectStorage

extension StorageOperations {
  /// The metadata of an object, which gets a download token if it has none.
  ///
  /// - Throws: `.notFound`.
  package func getObject(_ name: ObjectName) async throws(StorageError) -> Object {
    guard let object = try store.object(name) else {
      throw StorageError(.notFound, "Not Found.")
    }
    guard object.tokens.isEmpty else { return object }
    let token = makeToken()
    return try await store.update(name) { object throws(StorageError) in
      guard object.tokens.isEmpty else { return false }
      object.tokens = [token]
      return true
    }
  }
}
