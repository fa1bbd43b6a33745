package import Coding
package import ObjectStorage

/// What has an access control list.
package enum AccessTarget: Hashable, Sendable {
  case bucket(UTF8String)
  /// That which the objects of a bucket begin with.
  case objects(of: UTF8String)
  case object(ObjectName, generation: Int64?)

  package var bucket: UTF8String {
    switch self {
    case .bucket(let name), .objects(let name): name
    case .object(let name, _): name.bucket
    }
  }
}

/// Access control lists, which are kept and answered: everybody may do everything.
extension StorageOperations {
  /// - Throws: `.notFound`, `.invalidArgument` where policies alone count.
  package func accessList(of target: AccessTarget) throws(StorageError) -> [AccessEntry] {
    let bucket = try checkedBucket(of: target)
    switch target {
    case .bucket: return bucket.access
    case .objects: return bucket.objectAccess
    case .object(let name, let generation):
      guard let object = try store.object(name, generation: generation) else {
        throw .missing(name)
      }
      return object.access(in: bucket)
    }
  }

  /// Changes a list with `change`.
  ///
  /// - Throws: what `accessList(of:)` throws, `.failedPrecondition`, what `change` throws.
  package func changeAccess(
    of target: AccessTarget, _ preconditions: Preconditions,
    _ change: @escaping @Sendable (inout [AccessEntry]) throws(StorageError) -> Void
  ) async throws(StorageError) {
    let bucket = try checkedBucket(of: target)
    switch target {
    case .bucket(let name):
      _ = try await store.updateBucket(name, preconditions) { settings throws(StorageError) in
        var list = settings["acl"].flatMap { AccessEntry.list($0) } ?? AccessEntry.standard
        try change(&list)
        try bucket.checkIsPrivate(list)
        settings["acl"] = list.json
      }
    case .objects(let name):
      _ = try await store.updateBucket(name, preconditions) { settings throws(StorageError) in
        var list =
          settings["defaultObjectAcl"].flatMap { AccessEntry.list($0) } ?? AccessEntry.standard
        try change(&list)
        try bucket.checkIsPrivate(list)
        settings["defaultObjectAcl"] = list.json
      }
    case .object(let name, let generation):
      _ = try await store.update(name, generation: generation, preconditions) {
        object throws(StorageError) in
        var list = object.access(in: bucket)
        try change(&list)
        try bucket.checkIsPrivate(list)
        object.attributes.settings["acl"] = list.json
        return true
      }
    }
  }

  private func checkedBucket(of target: AccessTarget) throws(StorageError) -> Bucket {
    let bucket = try getBucket(target.bucket)
    try bucket.checkLists()
    return bucket
  }
}

extension Bucket {
  /// - Throws: `.invalidArgument` for a list where policies alone count, `.failedPrecondition` for one that lets everybody in where that
  ///   is prevented.
  package func check(list: JSONValue) throws(StorageError) {
    try checkLists()
    try checkIsPrivate(AccessEntry.list(list) ?? [])
  }

  func checkIsPrivate(_ list: [AccessEntry]) throws(StorageError) {
    guard settings["iamConfiguration"]?["publicAccessPrevention"] == .string("enforced"),
      list.contains(where: { ["allUsers", "allAuthenticatedUsers"].contains($0.entity) })
    else { return }
    throw StorageError(
      .failedPrecondition,
      "The member bindings allUsers and allAuthenticatedUsers are not allowed since public access "
        + "prevention is enforced.")
  }

  /// - Throws: `.invalidArgument` where policies alone count.
  package func checkLists() throws(StorageError) {
    guard !hasUniformAccess else {
      throw StorageError(
        .invalidArgument, "Cannot use ACL API when uniform bucket-level access is enabled.")
    }
  }
}
