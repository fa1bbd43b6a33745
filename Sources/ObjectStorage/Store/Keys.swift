internal import Coding
internal import KeyValue

/// Where things lie in the store.
///
/// ```
/// buckets   bucket → bucket          00 → the newest generation (varint)
/// buckets   00 00 ∥ access id → key of a service account
/// buckets   00 ∥ bucket ∥ 00 ∥ created (8 bytes, the highest first) → bucket that was deleted and can be restored
/// objects   bucket ∥ 00 ∥ name → object
/// objects   00 ∥ bucket ∥ 00 ∥ name, escaped ∥ 00 01 ∥ generation (8 bytes, the highest first) → object that is not current
/// objects   01 ∥ bucket ∥ 00 ∥ the same → object that was deleted and can be restored
/// uploads   blob id in letters and digits → record
/// uploads   the same of an upload ∥ / ∥ number, five digits → part
/// ```
enum Keys {
  /// No bucket is called so.
  static let newestGeneration: [UInt8] = [0]

  static func bucket(_ bucket: UTF8String) -> [UInt8] { Array(bucket.utf8) }

  /// What the keys of all objects of a bucket begin with.
  static func objects(of bucket: UTF8String) -> [UInt8] { Array(bucket.utf8) + [0] }

  static func object(_ name: ObjectName) -> [UInt8] { objects(of: name.bucket) + name.name.utf8 }

  /// What the keys of all generations of a bucket begin with that are not current.
  static func generations(of bucket: UTF8String, _ state: Object.State) -> [UInt8] {
    [mark(state)] + bucket.utf8 + [0]
  }

  /// Where all of them begin, of every bucket.
  static func generations(_ state: Object.State) -> [UInt8] { [mark(state)] }

  /// No bucket is called so that its key begins with one of these.
  private static func mark(_ state: Object.State) -> UInt8 {
    switch state {
    case .current, .noncurrent: 0
    case .softDeleted: 1
    }
  }

  /// The key of an object in the state that it is in.
  static func generation(_ object: Object) -> [UInt8] {
    switch object.state {
    case .current: self.object(object.name)
    case .noncurrent, .softDeleted: generation(object.generation, of: object.name, object.state)
    }
  }

  static func generation(
    _ generation: Int64, of name: ObjectName, _ state: Object.State
  ) -> [UInt8] {
    generations(of: name.bucket, state) + self.generation(generation, behind: name.name.utf8)
  }

  /// What stands behind `generations(of:_:)`.
  static func generation(_ generation: Int64, behind name: some Sequence<UInt8>) -> [UInt8] {
    escaped(name) + nameEnd + bytes(generation)
  }

  /// Less than anything that may follow in a name.
  private static let nameEnd: [UInt8] = [0, 1]

  /// A name in which no zero byte is followed by less than 2, in the same order.
  static func escaped(_ name: some Sequence<UInt8>) -> [UInt8] {
    name.flatMap { $0 == 0 ? [0, 2] : [$0] }
  }

  /// The name and the generation of a key behind `generations(of:_:)`.
  static func parse(generation key: ArraySlice<UInt8>) -> (name: [UInt8], generation: Int64) {
    var name: [UInt8] = []
    var escapes = false
    for byte in key.dropLast(8 + nameEnd.count) {
      if !escapes { name.append(byte) }
      escapes = byte == 0 && !escapes
    }
    return (name, key.suffix(8).reduce(0) { $0 << 8 | Int64($1) })
  }

  private static func bytes(_ number: Int64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
  }

  /// What the keys of deleted buckets of a name begin with; without a name, all.
  static func deletedBuckets(_ name: UTF8String) -> [UInt8] { [0] + name.utf8 + [0] }

  static func deletedBucket(_ name: UTF8String, _ created: Int64) -> [UInt8] {
    deletedBuckets(name) + bytes(created)
  }

  /// No bucket is called like nothing.
  static func accessKey(_ identifier: String) -> [UInt8] { [0, 0] + identifier.utf8 }

  static func upload(_ blob: BlobID) -> [UInt8] { Array(blob.text.utf8) }

  static func part(_ number: Int, of upload: String) -> [UInt8] {
    let digits = String(number)
    return Array(
      "\(upload)/\(String(repeating: "0", count: max(0, 5 - digits.utf8.count)))\(digits)".utf8)
  }

  /// The first key behind all that begin with `prefix`, whose last byte is below 0xff, as all of UTF-8 is.
  static func end(of prefix: [UInt8]) -> [UInt8] {
    var end = prefix
    if let last = end.popLast() { end.append(last + 1) }
    return end
  }
}

extension StoreReader {
  func object(_ name: ObjectName) throws -> Object? {
    guard let stored = try get(.objects, Keys.object(name)) else { return nil }
    return try Object(name, stored: stored)
  }

  /// A generation, current or not; without one, the current.
  func object(_ name: ObjectName, _ generation: Int64?) throws -> Object? {
    let current = try object(name)
    guard let generation, generation != current?.generation else { return current }
    return try object(name, generation, .noncurrent)
  }

  /// A generation that is not current.
  func object(
    _ name: ObjectName, _ generation: Int64, _ state: Object.State
  ) throws -> Object? {
    let key = Keys.generation(generation, of: name, state)
    return try get(.objects, key).map { try Object(name, stored: $0) }
  }
}

extension StoreTransaction {
  func put(_ object: Object) throws(StoreError) {
    try put(.objects, Keys.generation(object), object.stored)
  }

  /// Keeps what an object was that is taken from its place. With `isArchived` it stays as a noncurrent generation where the bucket has
  /// those; else it can be restored for some time where the bucket has that.
  ///
  /// - Returns: the blob that has to be removed, if nothing has it any more; it is named in `uploads`.
  func retire(
    _ object: Object, in bucket: Bucket?, isArchived: Bool, at now: Int64
  ) throws -> BlobID? {
    var object = object
    if isArchived, bucket?.isVersioned == true {
      object.deleted = max(now, object.created)
      try put(object)
      return nil
    }
    if let time = bucket?.softDeletionTime, time > 0 {
      object.softDeleted = max(now, object.created)
      object.hardDeleted = now.addingClamped(time)
      try put(object)
      return nil
    }
    try put(.leftover(time: now), for: object.blob)
    return object.blob
  }

  func put(_ record: UploadRecord, for blob: BlobID) throws(StoreError) {
    try put(.uploads, Keys.upload(blob), record.stored)
  }

  /// A generation above all before it.
  func nextGeneration(_ now: Int64) throws -> Int64 {
    var last: Int64 = 0
    if let stored = try get(.buckets, Keys.newestGeneration) {
      var reader = ProtobufReader(stored.span)
      last = try reader.readInt64()
    }
    let next = max(now, last + 1)
    var writer = ProtobufWriter()
    writer.appendVarint(UInt64(bitPattern: next))
    try put(.buckets, Keys.newestGeneration, writer.bytes)
    return next
  }
}

extension Int64 {
  /// A time so many microseconds later, at most the last that can be written.
  func addingClamped(_ other: Int64) -> Int64 {
    let (sum, last) = (addingReportingOverflow(other), Timestamp.latest.microseconds)
    return sum.overflow ? last : Swift.min(sum.partialValue, last)
  }
}
