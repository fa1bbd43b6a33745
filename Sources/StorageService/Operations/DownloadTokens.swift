package import ObjectStorage

extension StorageOperations {
  /// Gives an object one more download token.
  ///
  /// - Throws: `.permissionDenied` unless the administrator asks, `.notFound`.
  package func createToken(
    _ name: ObjectName, as principal: StoragePrincipal
  ) async throws(StorageError) -> Object {
    try check(principal)
    let token = makeToken()
    return try await store.update(name) { object throws(StorageError) in
      object.tokens.append(token)
      return true
    }
  }

  /// Takes a download token from an object, which gets another if it was the last. One that it does not have changes nothing.
  ///
  /// - Throws: `.permissionDenied` unless the administrator asks, `.notFound`.
  package func deleteToken(
    _ token: String, of name: ObjectName, as principal: StoragePrincipal
  ) async throws(StorageError) -> Object {
    try check(principal)
    let next = makeToken()
    return try await store.update(name) { object throws(StorageError) in
      let rest = object.tokens.filter { !$0.utf8.elementsEqual(token.utf8) }
      guard rest.count < object.tokens.count else { return false }
      object.tokens = rest.isEmpty ? [next] : rest
      return true
    }
  }

  private func check(_ principal: StoragePrincipal) throws(StorageError) {
    guard principal == .administrator else {
      throw StorageError(.permissionDenied, "Missing admin credentials.")
    }
  }
}
