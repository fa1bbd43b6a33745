package import Coding

/// What is known of a bucket.
package struct Bucket: Hashable, Sendable {
  package let name: UTF8String
  /// Microseconds since 1970.
  package var created: Int64
  /// Microseconds since 1970 when it changed last.
  package var updated: Int64
  /// Counts the changes, from 1.
  package var metageneration: Int64 = 1
  /// What users have set, kept as it came: labels, versioning, lifecycle and the like.
  package var settings: [UTF8String: JSONValue]
  /// Microseconds since 1970 when it was deleted, to be restored until `hardDeleted`.
  package var softDeleted: Int64?
  package var hardDeleted: Int64?

  init(name: UTF8String, created: Int64, settings: [UTF8String: JSONValue] = [:]) {
    self.name = name
    self.created = created
    updated = created
    self.settings = settings
  }

  /// Whether objects stay that are replaced or deleted.
  package var isVersioned: Bool { settings["versioning"]?["enabled"] == .bool(true) }

  /// For how many microseconds its objects may not be changed or deleted; `nil` without a policy.
  package var retentionTime: Int64? {
    microseconds(settings["retentionPolicy"]?["retentionPeriod"])
  }

  /// For how many microseconds what was deleted can be restored.
  package var softDeletionTime: Int64? {
    microseconds(settings["softDeletePolicy"]?["retentionDurationSeconds"])
  }

  /// Whether new objects wait for an event.
  package var holdsObjects: Bool { settings["defaultEventBasedHold"] == .bool(true) }

  private func microseconds(_ seconds: JSONValue?) -> Int64? {
    guard let seconds = seconds?.integer, seconds >= 0 else { return nil }
    let product = seconds.multipliedReportingOverflow(by: 1_000_000)
    return product.overflow ? .max : product.partialValue
  }

  /// Changes with the settings: base64 of `08 varint(metageneration)`.
  package var etag: String {
    var writer = ProtobufWriter()
    writer.writeInt64(1, metageneration)
    return Base64.encode(writer.bytes)
  }
}

/// Buckets as the store has them: nothing but the time in the form that came first, else a zero byte and a message.
///
/// ```
/// varint(created)    or    00   1 created   2 updated   3 metageneration   4 settings, JSON
///                               5 soft-deleted   6 deleted for good from
/// ```
extension Bucket {
  var stored: [UInt8] {
    var writer = ProtobufWriter()
    writer.writeInt64(1, created)
    writer.writeInt64(2, updated)
    writer.writeInt64(3, metageneration)
    writer.writeBytes(4, JSONValue.object(settings).bytes)
    if let softDeleted { writer.writeInt64(5, softDeleted) }
    if let hardDeleted { writer.writeInt64(6, hardDeleted) }
    return [0] + writer.bytes
  }

  /// - Throws: `.internalError` for bytes that `stored` did not make.
  init(_ name: UTF8String, stored: [UInt8]) throws(StorageError) {
    self.init(name: name, created: 0)
    do throws(WireError) {
      guard stored.first == 0 else {
        var reader = ProtobufReader(stored.span)
        created = try reader.readInt64()
        updated = created
        return
      }
      let message = Array(stored.dropFirst())
      var reader = ProtobufReader(message.span)
      while let tag = try reader.nextTag() {
        switch tag.number {
        case 1: created = try reader.readInt64()
        case 2: updated = try reader.readInt64()
        case 3: metageneration = try reader.readInt64()
        case 4: settings = (try? JSONValue(try reader.readBytes()))?.members ?? [:]
        case 5: softDeleted = try reader.readInt64()
        case 6: hardDeleted = try reader.readInt64()
        default: try reader.skip(tag)
        }
      }
    } catch {
      throw StorageError(error)
    }
  }
}
