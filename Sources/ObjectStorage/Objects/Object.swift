internal import Coding

/// What is known of an object: everything but its bytes.
package struct Object: Hashable, Sendable {
  package enum State: Hashable, Sendable {
    /// The one that its name stands for.
    case current
    /// Replaced or deleted, in a bucket with versions.
    case noncurrent
    /// Deleted, and to be restored for some time.
    case softDeleted
  }

  package var name: ObjectName
  /// Microseconds since 1970 when the bytes were committed, made greater than every earlier one of the server.
  package var generation: Int64
  /// Counts the changes of the metadata of this generation, from 1.
  package var metageneration: Int64 = 1
  package var size: Int64
  /// 16 bytes; none if it was made of others.
  package var md5: [UInt8]
  package var crc32c: UInt32
  package var attributes: ObjectAttributes
  /// What opens the object without credentials, oldest first.
  package var tokens: [String]
  /// Microseconds since 1970.
  package var created: Int64
  /// Microseconds since 1970 when metadata changed last.
  package var updated: Int64
  /// How many objects it was made of; `nil` if it was not.
  package var componentCount: Int64?
  /// Microseconds since 1970 when it ceased to be current.
  package var deleted: Int64?
  /// Microseconds since 1970 when it was deleted, to be restored until `hardDeleted`.
  package var softDeleted: Int64?
  package var hardDeleted: Int64?
  /// Microseconds since 1970 when it was no longer held for an event.
  package var released: Int64?
  /// The file that holds the bytes.
  package var blob: BlobID

  package var state: State {
    if softDeleted != nil { return .softDeleted }
    return deleted == nil ? .current : .noncurrent
  }

  /// Changes with the content and with the metadata: base64 of `08 varint(generation) 10 varint(metageneration)`.
  package var etag: String {
    var writer = ProtobufWriter()
    writer.writeInt64(1, generation)
    writer.writeInt64(2, metageneration)
    return Base64.encode(writer.bytes)
  }

  /// The checksum as it is written: base64 of four bytes, the highest first.
  package var crc32cText: String {
    Base64.encode((0..<4).map { UInt8(truncatingIfNeeded: crc32c >> (24 - 8 * $0)) })
  }

  /// The checksum as it is written, in base64; `nil` if there is none.
  package var md5Text: String? { md5.isEmpty ? nil : Base64.encode(md5) }

  /// Microseconds since 1970 until which the policy of its bucket retains it; `nil` without one, and as long as it waits for an event.
  package func retentionEnd(in bucket: Bucket) -> Int64? {
    guard let time = bucket.retentionTime, attributes.eventBasedHold != true else { return nil }
    return (released ?? created).addingClamped(time)
  }

  /// - Throws: `.permissionDenied` for an object that is held or retained.
  func checkMayGo(from bucket: Bucket?, at now: Int64) throws(StorageError) {
    try checkHolds()
    let ends = [bucket.flatMap { retentionEnd(in: $0) }, attributes.retainedUntil]
    guard let end = ends.compactMap({ $0 }).max(), end > now else { return }
    throw StorageError(
      .retained,
      "Object '\(name.bucket)/\(name.name)' is subject to bucket's retention policy or object "
        + "retention and cannot be deleted or overwritten until "
        + "\(Timestamp(microseconds: end).rfc3339)")
  }

  private func checkHolds() throws(StorageError) {
    let kind: String? =
      attributes.temporaryHold == true
      ? "Temporary" : attributes.eventBasedHold == true ? "Event-Based" : nil
    guard let kind else { return }
    throw StorageError(
      .permissionDenied,
      "Object '\(name.bucket)/\(name.name)' is under active \(kind) hold and cannot be deleted, "
        + "overwritten or archived until hold is removed.")
  }

  /// Notes that metadata changed.
  mutating func touch(_ now: Int64, before: Object) {
    if before.attributes.eventBasedHold == true, attributes.eventBasedHold != true {
      released = now
    }
    attributes.stampContexts(now)
    metageneration += 1
    updated = max(now, updated)
  }
}
