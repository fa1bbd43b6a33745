package import Coding
internal import KeyValue
internal import Synchronization

/// Buckets.
extension ObjectStore {
  /// The bucket of a name, or nothing.
  package func bucket(_ name: UTF8String) throws(StorageError) -> Bucket? {
    try read { try $0.bucket(name) }
  }

  /// Makes a bucket.
  ///
  /// - Throws: `.conflict` if there is one of that name, `.invalidArgument`.
  package func createBucket(
    _ name: UTF8String, settings: [UTF8String: JSONValue]
  ) async throws(StorageError) -> Bucket {
    try ObjectName.check(bucket: name)
    let bucket = Bucket(name: name, created: now(), settings: settings)
    return try await write { transaction in
      guard try transaction.bucket(name) == nil else {
        throw StorageError(
          .conflict,
          "Your previous request to create the named bucket succeeded and you already own it.")
      }
      try transaction.put(bucket)
      return bucket
    }
  }

  /// Changes the settings of a bucket.
  ///
  /// - Throws: `.notFound`, `.failedPrecondition`, what `change` throws.
  package func updateBucket(
    _ name: UTF8String, _ preconditions: Preconditions,
    _ change: @escaping @Sendable (inout [UTF8String: JSONValue]) throws(StorageError) -> Void
  ) async throws(StorageError) -> Bucket {
    let now = now()
    return try await write { transaction in
      guard var bucket = try transaction.bucket(name) else { throw StorageError.noBucket }
      try preconditions.check(bucket)
      try change(&bucket.settings)
      bucket.metageneration += 1
      bucket.updated = max(now, bucket.updated)
      try transaction.put(bucket)
      return bucket
    }
  }

  /// Deletes a bucket without objects.
  ///
  /// - Throws: `.notFound`, `.failedPrecondition`, `.conflict` if there are any.
  package func deleteBucket(
    _ name: UTF8String, _ preconditions: Preconditions
  ) async throws(StorageError) {
    let now = now()
    try await write { transaction in
      guard let bucket = try transaction.bucket(name) else { throw StorageError.noBucket }
      try preconditions.check(bucket)
      for objects in [Keys.objects(of: name), Keys.generations(of: name, .noncurrent)] {
        let range = KeyRange(from: objects, to: Keys.end(of: objects))
        guard try transaction.scan(.objects, range, .ascending, limit: 1).isEmpty else {
          throw StorageError(.conflict, "The bucket you tried to delete is not empty.")
        }
      }
      try transaction.delete(.buckets, Keys.bucket(name))
      guard let time = bucket.softDeletionTime, time > 0 else { return }
      var deleted = bucket
      (deleted.softDeleted, deleted.hardDeleted) = (now, now.addingClamped(time))
      try transaction.put(
        .buckets, Keys.deletedBucket(name, bucket.created), deleted.stored)
    }
    memory.withLock { _ = $0.buckets.remove(name) }
  }

  /// A bucket that was deleted and can be restored.
  package func deletedBucket(
    _ name: UTF8String, generation: Int64
  ) throws(StorageError) -> Bucket? {
    try read { try $0.deletedBucket(name, generation) }
  }

  /// Makes a deleted bucket a bucket again.
  ///
  /// - Throws: `.notFound`, `.conflict` if there is one of that name.
  package func restoreBucket(
    _ name: UTF8String, generation: Int64
  ) async throws(StorageError) -> Bucket {
    try await write { transaction in
      guard var bucket = try transaction.deletedBucket(name, generation) else {
        throw StorageError.noBucket
      }
      guard try transaction.bucket(name) == nil else {
        throw StorageError(.conflict, "There is a bucket of this name.")
      }
      (bucket.softDeleted, bucket.hardDeleted) = (nil, nil)
      bucket.metageneration += 1
      try transaction.delete(.buckets, Keys.deletedBucket(name, generation))
      try transaction.put(bucket)
      return bucket
    }
  }

  /// At most `limit` buckets whose names begin with `prefix`, in the order of their bytes, behind `last`.
  package func buckets(
    prefix: UTF8String, after last: UTF8String?, limit: Int
  ) throws(StorageError) -> [Bucket] {
    // No name begins with a zero byte; the newest generation does.
    var first = prefix.isEmpty ? [1] : Array(prefix.utf8)
    if let last { first = later(first, Array(last.utf8) + [0]) }
    let range = KeyRange(
      from: first, to: prefix.isEmpty ? nil : Keys.end(of: Array(prefix.utf8)))
    return try read { reader in
      try reader.scan(.buckets, range, .ascending, limit: limit).map {
        try Bucket(UTF8String(String(decoding: $0.key, as: UTF8.self)), stored: $0.value)
      }
    }
  }
}

private func later(_ key: [UInt8], _ other: [UInt8]) -> [UInt8] {
  key.lexicographicallyPrecedes(other) ? other : key
}

extension StoreReader {
  func bucket(_ name: UTF8String) throws -> Bucket? {
    guard let stored = try get(.buckets, Keys.bucket(name)) else { return nil }
    return try Bucket(name, stored: stored)
  }

  func deletedBucket(_ name: UTF8String, _ created: Int64) throws -> Bucket? {
    try get(.buckets, Keys.deletedBucket(name, created)).map { try Bucket(name, stored: $0) }
  }
}

extension StoreTransaction {
  func put(_ bucket: Bucket) throws(StoreError) {
    try put(.buckets, Keys.bucket(bucket.name), bucket.stored)
  }
}
