internal import Coding
internal import KeyValue

/// Where things lie in the store.
///
/// ```
/// buckets   bucket → bucket          00 → the newest generation (varint)
/// objects   bucket ∥ 00 ∥ name → object
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
}

extension StoreTransaction {
  func put(_ object: Object) throws(StoreError) {
    try put(.objects, Keys.object(object.name), object.stored)
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
