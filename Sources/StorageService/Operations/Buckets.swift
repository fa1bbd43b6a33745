package import Coding
package import ObjectStorage

/// Buckets as Cloud Storage has them.
extension StorageOperations {
  /// - Throws: `.notFound`.
  package func getBucket(_ name: UTF8String) throws(StorageError) -> Bucket {
    guard let bucket = try store.bucket(name) else { throw .noBucket }
    return bucket
  }

  /// - Throws: `.conflict`, `.invalidArgument`.
  package func createBucket(
    _ name: UTF8String, settings: [UTF8String: JSONValue]
  ) async throws(StorageError) -> Bucket {
    guard BucketName.isValid(name) else {
      throw StorageError(.invalidArgument, "Invalid bucket name: '\(name)'")
    }
    var complete: [UTF8String: JSONValue] = [:]
    try BucketSettings.apply(settings, to: &complete, isWhole: true, at: store.now())
    return try await store.createBucket(name, settings: complete)
  }

  /// At most `limit` buckets behind `last`, and whether there are more.
  package func listBuckets(
    prefix: UTF8String, after last: UTF8String?, limit: Int
  ) throws(StorageError) -> (buckets: [Bucket], hasMore: Bool) {
    let buckets = try store.buckets(prefix: prefix, after: last, limit: limit + 1)
    return (Array(buckets.prefix(limit)), buckets.count > limit)
  }

  /// Changes some settings, or with `isWhole` replaces them.
  ///
  /// - Throws: `.notFound`, `.failedPrecondition`.
  package func updateBucket(
    _ name: UTF8String, _ changes: [UTF8String: JSONValue], isWhole: Bool,
    _ preconditions: Preconditions
  ) async throws(StorageError) -> Bucket {
    let now = store.now()
    return try await store.updateBucket(name, preconditions) { settings throws(StorageError) in
      try BucketSettings.apply(changes, to: &settings, isWhole: isWhole, at: now)
    }
  }

  /// Makes the retention of a bucket one that can only grow.
  ///
  /// - Throws: `.notFound`, `.failedPrecondition`, `.invalidArgument` without a retention.
  package func lockRetention(
    of name: UTF8String, _ preconditions: Preconditions
  ) async throws(StorageError) -> Bucket {
    try await store.updateBucket(name, preconditions) { settings throws(StorageError) in
      guard settings["retentionPolicy"] != nil else {
        throw StorageError(.invalidArgument, "The bucket has no retention policy.")
      }
      settings.merge(["retentionPolicy": .object(["isLocked": .bool(true)])], depth: 2)
    }
  }

  /// A bucket that was deleted and can be restored.
  ///
  /// - Throws: `.notFound`.
  package func getDeletedBucket(
    _ name: UTF8String, generation: Int64
  ) throws(StorageError) -> Bucket {
    guard let bucket = try store.deletedBucket(name, generation: generation) else {
      throw .noBucket
    }
    return bucket
  }

  /// - Throws: `.notFound`, `.conflict` if there is a bucket of that name.
  package func restoreBucket(
    _ name: UTF8String, generation: Int64
  ) async throws(StorageError) -> Bucket {
    try await store.restoreBucket(name, generation: generation)
  }

  /// - Throws: `.notFound`, `.failedPrecondition`, `.conflict` if it has objects.
  package func deleteBucket(
    _ name: UTF8String, _ preconditions: Preconditions
  ) async throws(StorageError) {
    switch style {
    case .firebase: break
    case .fakeGCSServer: try await store.removeGenerations(of: name)
    }
    try await store.deleteBucket(name, preconditions)
  }
}
