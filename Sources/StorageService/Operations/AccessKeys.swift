internal import Coding
package import ObjectStorage

/// Keys of service accounts for signatures with a shared secret. They are kept and answered; nobody has to have one.
extension StorageOperations {
  /// Makes a key.
  ///
  /// - Returns: it, with its secret, which is not told again.
  package func createAccessKey(
    project: String, email: String
  ) async throws(StorageError) -> (key: AccessKey, secret: String) {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
    let identifier = String(
      decoding: randomBytes(55).map { letters[Int($0 & 31)] }, as: UTF8.self)
    let secret = Base64.encode(randomBytes(30))
    let key = AccessKey(
      identifier: "GOOG1E" + identifier, project: project, email: email, created: store.now())
    try await store.putAccessKey(key)
    return (key, secret)
  }

  private func randomBytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: random() >> 8) }
  }

  /// - Throws: `.notFound`.
  package func accessKey(
    _ identifier: String, of project: String
  ) throws(StorageError) -> AccessKey {
    guard let key = try store.accessKey(identifier), key.project == project else {
      throw StorageError(.notFound, "Access ID not found in project.")
    }
    return key
  }

  /// The keys of a project, of one account if that is named; those that were deleted only if they are wanted.
  package func accessKeys(
    of project: String, email: String?, showsDeleted: Bool
  ) throws(StorageError) -> [AccessKey] {
    try store.accessKeys().filter { key in
      key.project == project && email.map { $0 == key.email } ?? true
        && (showsDeleted || key.state != .deleted)
    }
  }

  /// - Throws: `.notFound`, `.invalidArgument` for one that was deleted.
  package func setState(
    _ state: AccessKey.State, of identifier: String, in project: String
  ) async throws(StorageError) -> AccessKey {
    var key = try accessKey(identifier, of: project)
    guard key.state != .deleted else {
      throw StorageError(.invalidArgument, "A deleted key cannot be changed.")
    }
    if state == .deleted, key.state != .inactive {
      throw StorageError(.invalidArgument, "Cannot delete keys that are not in the INACTIVE state.")
    }
    key.state = state
    key.updated = max(store.now(), key.updated + 1)
    try await store.putAccessKey(key)
    return key
  }
}
