package import Coding
internal import KeyValue

/// Generations of objects, and how they come and go.
extension ObjectStore {
  /// A generation of an object, current or not; without one, the current. With `isSoftDeleted` one that was deleted.
  package func object(
    _ name: ObjectName, generation: Int64?, isSoftDeleted: Bool = false
  ) throws(StorageError) -> Object? {
    try read { reader in
      guard isSoftDeleted else { return try reader.object(name, generation) }
      return try generation.flatMap { try reader.object(name, $0, .softDeleted) }
    }
  }

  /// Deletes an object. Whoever reads it reads on. Without a generation, a bucket with versions keeps it as a noncurrent one.
  ///
  /// - Throws: `.notFound`, `.failedPrecondition`, `.permissionDenied` and `.retained` for one that has to stay.
  package func delete(
    _ name: ObjectName, generation: Int64? = nil, _ preconditions: Preconditions = Preconditions(),
    review: ObjectReview? = nil
  ) async throws(StorageError) {
    let now = now()
    let blob = try await write { transaction in
      let found = try transaction.object(name, generation)
      try review?(found, nil)
      guard let object = found else { throw StorageError.noObject }
      try preconditions.check(object)
      let bucket = try transaction.bucket(name.bucket)
      try object.checkMayGo(from: bucket, at: now)
      try transaction.delete(.objects, Keys.generation(object))
      return try transaction.retire(object, in: bucket, isArchived: generation == nil, at: now)
    }
    await drop(blob)
  }

  /// Gives an object another name in its bucket, instead of one that has it.
  ///
  /// - Throws: `.notFound`, `.failedPrecondition`, `.permissionDenied` and `.retained` if one of both has to stay.
  package func move(
    _ source: ObjectName, _ conditions: Preconditions, to name: ObjectName,
    _ preconditions: Preconditions
  ) async throws(StorageError) -> Object {
    let now = now()
    let (object, replaced) = try await write { transaction -> (Object, BlobID?) in
      guard var object = try transaction.object(source) else { throw StorageError.noObject }
      try conditions.check(object)
      let bucket = try transaction.bucket(source.bucket)
      try object.checkMayGo(from: bucket, at: now)
      var old = try transaction.object(name)
      try preconditions.check(old)
      if source == name { old = nil }
      try old?.checkMayGo(from: bucket, at: now)
      let replaced = try old.flatMap {
        try transaction.retire($0, in: bucket, isArchived: true, at: now)
      }
      try transaction.delete(.objects, Keys.object(source))
      object.name = name
      object.renew(try transaction.nextGeneration(now))
      try transaction.put(object)
      return (object, replaced)
    }
    await drop(replaced)
    return object
  }

  /// Makes a deleted generation the current one of its name again, under a new number.
  ///
  /// - Throws: `.notFound`, `.failedPrecondition` if it was not deleted or a condition on the one that is there does not hold.
  package func restore(
    _ name: ObjectName, generation: Int64, _ preconditions: Preconditions
  ) async throws(StorageError) -> Object {
    let now = now()
    let (object, replaced) = try await write { transaction -> (Object, BlobID?) in
      guard var object = try transaction.object(name, generation, .softDeleted) else {
        guard try transaction.object(name, generation) == nil else {
          throw StorageError(.failedPrecondition, "The object was not soft-deleted.")
        }
        throw StorageError.missing(name)
      }
      let bucket = try transaction.bucket(name.bucket)
      let old = try transaction.object(name)
      try preconditions.check(old)
      try old?.checkMayGo(from: bucket, at: now)
      let replaced = try old.flatMap {
        try transaction.retire($0, in: bucket, isArchived: true, at: now)
      }
      try transaction.delete(.objects, Keys.generation(object))
      (object.deleted, object.softDeleted, object.hardDeleted) = (nil, nil, nil)
      object.renew(try transaction.nextGeneration(now))
      try transaction.put(object)
      return (object, replaced)
    }
    await drop(replaced)
    return object
  }

  /// Removes what was deleted and can be restored no longer.
  func removeExpired() async throws(StorageError) {
    let now = now()
    try await forEach(.objects, Keys.generations(.softDeleted)) { row throws(StorageError) in
      try await removeIfExpired(object: row, at: now)
    }
    // What is no bucket is in another form, and has no end.
    try await forEach(.buckets, Keys.newestGeneration) { row throws(StorageError) in
      if row.value.first == 0 { try await removeIfExpired(bucket: row, at: now) }
    }
  }

  /// Goes over all rows whose keys begin with `start`, which may go meanwhile.
  private func forEach(
    _ space: Space, _ start: [UInt8],
    _ body: (KeyValuePair) async throws(StorageError) -> Void
  ) async throws(StorageError) {
    var next = start
    while true {
      let range = KeyRange(from: next, to: Keys.end(of: start))
      let rows = try read { try $0.scan(space, range, .ascending, limit: 64) }
      for row in rows { try await body(row) }
      guard rows.count == 64, let last = rows.last else { return }
      next = last.key + [0]
    }
  }

  private func removeIfExpired(
    object row: KeyValuePair, at now: Int64
  ) async throws(StorageError) {
    // The name is that of the key, which stays.
    let any = try ObjectName(bucket: "a", name: "a")
    let object = try Object(any, stored: row.value)
    guard let end = object.hardDeleted, end <= now else { return }
    try await remove(row, object.blob, at: now)
  }

  /// Removes a generation with its bytes, unless it has changed meanwhile.
  private func remove(
    _ row: KeyValuePair, _ blob: BlobID, at now: Int64
  ) async throws(StorageError) {
    let isUnchanged = try await write { transaction in
      guard try transaction.get(.objects, row.key) == row.value else { return false }
      try transaction.delete(.objects, row.key)
      try transaction.put(.leftover(time: now), for: blob)
      return true
    }
    if isUnchanged { await drop(blob) }
  }

  /// Removes the generations of a bucket that are not current, unless it has objects that are.
  package func removeGenerations(of bucket: UTF8String) async throws(StorageError) {
    let (objects, now) = (Keys.objects(of: bucket), now())
    let range = KeyRange(from: objects, to: Keys.end(of: objects))
    guard try read({ try $0.scan(.objects, range, .ascending, limit: 1) }).isEmpty else { return }
    let any = try ObjectName(bucket: bucket, name: "a")
    try await forEach(.objects, Keys.generations(of: bucket, .noncurrent)) {
      row throws(StorageError) in
      try await remove(row, try Object(any, stored: row.value).blob, at: now)
    }
  }

  private func removeIfExpired(
    bucket row: KeyValuePair, at now: Int64
  ) async throws(StorageError) {
    guard let end = try Bucket("a", stored: row.value).hardDeleted, end <= now else { return }
    try await write { try $0.delete(.buckets, row.key) }
  }
}

extension Object {
  /// Makes it a new generation.
  fileprivate mutating func renew(_ generation: Int64) {
    (self.generation, created, updated, metageneration) = (generation, generation, generation, 1)
    released = nil
  }
}
