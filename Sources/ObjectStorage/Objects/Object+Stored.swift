internal import Coding

/// Objects as the store has them: a protobuf message without the name, which is in the key.
///
/// ```
/// 1 generation   2 metageneration   3 size   4 MD5 (16 bytes)   5 CRC-32C   6 created   7 updated   8 blob
/// 9 content type   10 encoding   11 disposition   12 language   13 cache control
/// 14 custom entry { 1 key   2 value }, repeated   15 token, repeated   16 component count
/// 30 storage class   31 custom time   32 temporary hold   33 event-based hold (1 no, 2 yes)   36 settings, JSON
/// 40 deleted   41 soft-deleted   42 deleted for good from   43 released
/// ```
extension Object {
  var stored: [UInt8] {
    var writer = ProtobufWriter()
    writer.writeInt64(1, generation)
    writer.writeInt64(2, metageneration)
    writer.writeInt64(3, size)
    writer.writeBytes(4, md5)
    writer.writeUInt64(5, UInt64(crc32c))
    writer.writeInt64(6, created)
    writer.writeInt64(7, updated)
    writer.writeString(8, blob.text)
    attributes.write(to: &writer)
    for token in tokens { writer.writeString(15, token) }
    if let componentCount { writer.writeInt64(16, componentCount) }
    for (index, time) in [deleted, softDeleted, hardDeleted, released].enumerated() {
      if let time { writer.writeInt64(40 + index, time) }
    }
    return writer.bytes
  }

  /// - Throws: `.internalError` for bytes that `stored` did not make.
  init(_ name: ObjectName, stored: [UInt8]) throws(StorageError) {
    self.init(
      name: name, generation: 0, size: 0, md5: [], crc32c: 0, attributes: ObjectAttributes(),
      tokens: [], created: 0, updated: 0, blob: BlobID(text: ""))
    do throws(WireError) {
      var reader = ProtobufReader(stored.span)
      while let tag = try reader.nextTag() {
        switch tag.number {
        case 1: generation = try reader.readInt64()
        case 2: metageneration = try reader.readInt64()
        case 3: size = try reader.readInt64()
        case 4: md5 = try reader.readBytes()
        case 5: crc32c = UInt32(truncatingIfNeeded: try reader.readVarint())
        case 6: created = try reader.readInt64()
        case 7: updated = try reader.readInt64()
        case 8: blob = BlobID(text: try reader.readString())
        case 15: tokens.append(try reader.readString())
        case 16: componentCount = try reader.readInt64()
        case 40: deleted = try reader.readInt64()
        case 41: softDeleted = try reader.readInt64()
        case 42: hardDeleted = try reader.readInt64()
        case 43: released = try reader.readInt64()
        default: try attributes.read(tag, from: &reader)
        }
      }
    } catch {
      throw StorageError(error)
    }
  }
}

extension ObjectAttributes {
  /// Fields 9 to 14, 30 to 33, and 36.
  func write(to writer: inout ProtobufWriter) {
    let texts = [contentType, contentEncoding, contentDisposition, contentLanguage, cacheControl]
    for (index, text) in texts.enumerated() {
      if let text { writer.writeString(9 + index, text) }
    }
    for (key, value) in sortedCustom {
      let start = writer.begin(14)
      writer.writeString(1, key.string)
      writer.writeString(2, value)
      writer.end(start)
    }
    if let storageClass { writer.writeString(30, storageClass) }
    if let customTime { writer.writeString(31, customTime) }
    if let temporaryHold { writer.writeInt64(32, temporaryHold ? 2 : 1) }
    if let eventBasedHold { writer.writeInt64(33, eventBasedHold ? 2 : 1) }
    if !settings.isEmpty { writer.writeBytes(36, JSONValue.object(settings).bytes) }
  }

  mutating func read(
    _ tag: ProtobufTag, from reader: inout ProtobufReader
  ) throws(WireError) {
    switch tag.number {
    case 9: contentType = try reader.readString()
    case 10: contentEncoding = try reader.readString()
    case 11: contentDisposition = try reader.readString()
    case 12: contentLanguage = try reader.readString()
    case 13: cacheControl = try reader.readString()
    case 14:
      var entry = try reader.readMessage()
      var (key, value) = ("", "")
      while let tag = try entry.nextTag() {
        switch tag.number {
        case 1: key = try entry.readString()
        case 2: value = try entry.readString()
        default: try entry.skip(tag)
        }
      }
      custom[UTF8String(key)] = value
    case 30: storageClass = try reader.readString()
    case 31: customTime = try reader.readString()
    case 32: temporaryHold = try reader.readInt64() == 2
    case 33: eventBasedHold = try reader.readInt64() == 2
    case 36: settings = (try? JSONValue(try reader.readBytes()))?.members ?? [:]
    default: try reader.skip(tag)
    }
  }
}
