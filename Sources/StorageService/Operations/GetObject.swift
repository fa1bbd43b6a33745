package import ObjectStorage

extension StorageOperations {
  /// The metadata of an object, which gets a download token if it has none.
  ///
  /// - Throws: `.permissionDenied`, `.notFound`.
  package func getObject(
    _ name: ObjectName, by requester: StorageRequester
  ) async throws(StorageError) -> Object {
    let found = try store.object(name)
    try authorizeRead(found, named: name, by: requester)
    guard let object = found else {
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
