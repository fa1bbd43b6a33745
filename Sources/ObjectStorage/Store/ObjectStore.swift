package import Coding
package import KeyValue
internal import Synchronization

/// All buckets, objects and uploads of a server.
///
/// Bytes are there before metadata says so: they are written under a temporary name, checked, moved to their place, and committed
/// by one write of the store. A blob that no object has is always named in `uploads`, so that none is left after a crash.
package final class ObjectStore: Sendable {
  let store: any OrderedStore
  let files: any BlobFiles
  /// Microseconds since 1970.
  package let now: @Sendable () -> Int64
  let random: @Sendable () -> UInt64
  let memory = Mutex(Memory())

  struct Memory: Sendable {
    /// Buckets that are known to be in the store.
    var buckets: Set<UTF8String> = []
    /// Blobs that a request of this process is about to commit or to remove.
    var busy: Set<BlobID> = []
    /// Resumable uploads that were asked for.
    var sessions = SessionTable()
  }

  /// `now` gives microseconds since 1970.
  package init(
    store: any OrderedStore, files: any BlobFiles, now: @escaping @Sendable () -> Int64,
    random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
  ) {
    self.store = store
    self.files = files
    self.now = now
    self.random = random
  }

  /// Runs a write, whose errors are told in our terms.
  func write<Result: Sendable>(
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Result
  ) async throws(StorageError) -> Result {
    do {
      return try await store.write(body)
    } catch {
      throw StorageError(error)
    }
  }

  func read<Result>(_ body: (any StoreReader) throws -> Result) throws(StorageError) -> Result {
    do {
      return try store.read(body)
    } catch {
      throw StorageError(error)
    }
  }

  // MARK: Buckets

  /// Makes a bucket if it is missing.
  ///
  /// - Throws: `.invalidArgument` for a name that no bucket can have.
  package func ensureBucket(_ bucket: UTF8String) async throws(StorageError) {
    guard !memory.withLock({ $0.buckets.contains(bucket) }) else { return }
    try ObjectName.check(bucket: bucket)
    let key = Keys.bucket(bucket)
    if try read({ try $0.get(.buckets, key) }) == nil {
      let made = Bucket(name: bucket, created: now())
      try await write { transaction in
        if try transaction.bucket(bucket) == nil { try transaction.put(made) }
      }
    }
    memory.withLock { memory in
      if memory.buckets.count < 1000 { memory.buckets.insert(bucket) }
    }
  }

  // MARK: Objects

  /// The object of a name, or nothing.
  package func object(_ name: ObjectName) throws(StorageError) -> Object? {
    try read { try $0.object(name) }
  }

  /// Changes the metadata of an object with `change`, which runs in the write and gives `false` to leave everything as it is. Without a
  /// generation it is the current one.
  ///
  /// - Returns: the object after it.
  /// - Throws: `.notFound`, `.failedPrecondition`, what `change` and `review` throw.
  package func update(
    _ name: ObjectName, generation: Int64? = nil, _ preconditions: Preconditions = Preconditions(),
    review: ObjectReview? = nil,
    _ change: @escaping @Sendable (inout Object) throws(StorageError) -> Bool
  ) async throws(StorageError) -> Object {
    let now = now()
    return try await write { transaction in
      guard let before = try transaction.object(name, generation) else {
        try review?(nil, nil)
        throw StorageError.noObject
      }
      var object = before
      let isChanged = try change(&object)
      if isChanged { object.touch(now, before: before) }
      try review?(before, object)
      try preconditions.check(before)
      if isChanged { try transaction.put(object) }
      return object
    }
  }

  /// Opens the bytes of an object for reading, the first `count` from `offset` at once.
  ///
  /// - Returns: `nil` if this generation is gone.
  package func open(
    _ object: Object, at offset: Int64 = 0, count: Int
  ) async throws(StorageError) -> BlobContent? {
    try await BlobContent.open(object.blob, at: offset, count: count, files)
  }

  // MARK: Blobs

  /// Removes a blob that is named in `uploads`, then its name there.
  func remove(_ blob: BlobID) async throws(StorageError) {
    try await files.attempt { [files] () throws(StorageError) in try files.remove(blob) }
    try await write { try $0.delete(.uploads, Keys.upload(blob)) }
  }

  /// Removes a blob that was just named in `uploads`. What cannot be removed now is found there later: for who asked, all is done.
  func drop(_ blob: BlobID?) async {
    if let blob { try? await remove(blob) }
  }

  /// Moves the bytes of an upload to their place and makes them an object. What the object was before is removed.
  ///
  /// `record` is what `uploads` says of the blob from then on, if anything.
  ///
  /// - Throws: `.invalidArgument` for other checksums than announced, `.failedPrecondition`, what `review` throws.
  func commit(
    _ progress: BlobProgress, of blob: BlobID, _ request: UploadRequest,
    review: ObjectReview? = nil,
    record: @escaping @Sendable (Object) -> UploadRecord?
  ) async throws(StorageError) -> Object {
    let digest = await progress.digest
    var object = Object(
      name: request.name, generation: 0, size: progress.size, md5: digest.md5.digest,
      crc32c: digest.crc32c.value, attributes: request.attributes,
      tokens: request.tokens, created: 0, updated: 0, blob: blob)
    try request.expected.check(object)
    if let count = request.componentCount { (object.componentCount, object.md5) = (count, []) }
    try await files.attempt { [files] () throws(StorageError) in try files.place(blob) }
    let (now, draft) = (now(), object)
    let replaced: BlobID?
    (object, replaced) = try await write { transaction in
      let old = try transaction.object(draft.name)
      let bucket = try transaction.bucket(draft.name.bucket)
      var object = draft
      if let bucket { object.attributes.fill(from: bucket) }
      object.attributes.stampContexts(now)
      object.generation = try transaction.nextGeneration(now)
      object.created = object.generation
      object.updated = object.generation
      try review?(old, object)
      try request.preconditions.check(old)
      try old?.checkMayGo(from: bucket, at: now)
      // It may have been deleted since the upload began.
      if bucket == nil { try transaction.put(Bucket(name: draft.name.bucket, created: now)) }
      let replaced = try old.flatMap {
        try transaction.retire($0, in: bucket, isArchived: true, at: now)
      }
      try transaction.put(object)
      if let record = record(object) {
        try transaction.put(record, for: object.blob)
      } else {
        try transaction.delete(.uploads, Keys.upload(object.blob))
      }
      return (object, replaced)
    }
    await drop(replaced)
    return object
  }
}

extension ObjectAttributes {
  /// Takes what the bucket says of new objects.
  fileprivate mutating func fill(from bucket: Bucket) {
    if bucket.holdsObjects { eventBasedHold = eventBasedHold ?? true }
    storageClass = storageClass ?? bucket.settings["storageClass"]?.text
  }
}
