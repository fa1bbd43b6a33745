internal import Coding
internal import ObjectStorage

extension JSONWriter {
  /// The metadata of an object as Firebase has it: every number is a string.
  mutating func write(_ object: Object) {
    let attributes = object.attributes
    beginObject()
    write("name", object.name.name.string)
    write("bucket", object.name.bucket.string)
    write("generation", String(object.generation))
    write("metageneration", String(object.metageneration))
    write("contentType", attributes.contentType ?? "application/octet-stream")
    write("timeCreated", Self.time(object.created))
    write("updated", Self.time(object.updated))
    write("storageClass", "STANDARD")
    write("size", String(object.size))
    write("md5Hash", object.md5Text)
    write("contentEncoding", attributes.contentEncoding ?? "identity")
    write("contentDisposition", attributes.contentDisposition)
    write("contentLanguage", attributes.contentLanguage)
    write("cacheControl", attributes.cacheControl)
    write("crc32c", object.crc32cText)
    write("etag", object.etag)
    write("downloadTokens", object.tokens.joined(separator: ","))
    if !attributes.custom.isEmpty {
      writeKey("metadata")
      beginObject()
      for (key, value) in attributes.sortedCustom {
        writeKey(key.string)
        writeString(value)
      }
      endObject()
    }
    endObject()
  }

  /// A page of names.
  mutating func write(_ listing: ObjectListing, of bucket: UTF8String) {
    beginObject()
    writeKey("prefixes")
    beginArray()
    for prefix in listing.prefixes { writeString(prefix) }
    endArray()
    writeKey("items")
    beginArray()
    for item in listing.items {
      beginObject()
      write("name", item.name.name.string)
      write("bucket", bucket.string)
      endObject()
    }
    endArray()
    write("nextPageToken", listing.nextPageToken)
    endObject()
  }

  mutating func write(_ key: StaticString, _ value: String?) {
    guard let value else { return }
    writeKey(key)
    writeString(value)
  }

  /// Exactly three digits behind the second: the iOS SDK reads nothing else.
  static func time(_ microseconds: Int64) -> String {
    let milliseconds = microseconds / 1_000
    let text = Timestamp(microseconds: milliseconds / 1_000 * 1_000_000).rfc3339.dropLast()
    let fraction = String(1_000 + milliseconds % 1_000).dropFirst()
    return "\(text).\(fraction)Z"
  }
}
