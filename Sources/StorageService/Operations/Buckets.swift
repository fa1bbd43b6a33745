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
    return try await store.createBucket(name, settings: settings)
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
    try await store.updateBucket(name, preconditions) { settings in
      if isWhole { settings = [:] }
      settings = Self.merged(settings, changes, depth: 2)
    }
  }

  /// - Throws: `.notFound`, `.failedPrecondition`, `.conflict` if it has objects.
  package func deleteBucket(
    _ name: UTF8String, _ preconditions: Preconditions
  ) async throws(StorageError) {
    try await store.deleteBucket(name, preconditions)
  }

  /// Members of `changes` replace others, `null` removes them; objects are merged down to a depth.
  private static func merged(
    _ old: [UTF8String: JSONValue], _ changes: [UTF8String: JSONValue], depth: Int
  ) -> [UTF8String: JSONValue] {
    var merged = old
    for (name, value) in changes {
      switch value {
      case .null: merged[name] = nil
      case .object(let members) where depth > 1:
        merged[name] = .object(Self.merged(merged[name]?.members ?? [:], members, depth: depth - 1))
      case .object, .array, .bool, .number, .string: merged[name] = value
      }
    }
    return merged
  }
}
