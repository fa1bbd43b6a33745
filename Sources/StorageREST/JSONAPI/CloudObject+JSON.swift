internal import Coding
internal import ObjectStorage
internal import StorageService

/// How objects of a bucket are shown to who asks.
struct CloudObjectForm {
  /// Where the client sees the server.
  let origin: String
  let bucket: Bucket
  /// With the lists of access.
  let isFull: Bool
  /// The hash of the key that came with the request.
  let keyHash: String?

  /// Checksums tell about the content, and are for those who have the key.
  func showsChecksums(of object: Object) -> Bool {
    object.keyHash.map { $0 == keyHash } ?? true
  }
}

extension JSONWriter {
  /// An object as Cloud Storage shows it.
  mutating func write(cloudStorage object: Object, _ form: CloudObjectForm) {
    let origin = form.origin
    let attributes = object.attributes
    let (bucket, name) = (object.name.bucket.string, object.name.name.string)
    let path = "b/\(PercentCoding.encode(bucket))/o/\(PercentCoding.encode(name))"
    let generation = String(object.generation)
    beginObject()
    write("kind", "storage#object")
    write("id", "\(bucket)/\(name)/\(generation)")
    write("selfLink", "\(origin)/storage/v1/\(path)")
    write(
      "mediaLink", "\(origin)/download/storage/v1/\(path)?generation=\(generation)&alt=media")
    write("name", name)
    write("bucket", bucket)
    write("generation", generation)
    write("metageneration", String(object.metageneration))
    // What is made of others has none unless it is given one.
    let standardType = object.componentCount ?? 0 > 0 ? nil : "application/octet-stream"
    write("contentType", attributes.contentType ?? standardType)
    write("storageClass", attributes.storageClass ?? "STANDARD")
    write("size", String(object.size))
    if form.showsChecksums(of: object) {
      write("md5Hash", object.md5Text)
      write("crc32c", object.crc32cText)
    }
    write("etag", object.etag)
    write("timeCreated", Self.time(object.created))
    write("updated", Self.time(object.updated))
    write("timeStorageClassUpdated", Self.time(object.created))
    write("timeFinalized", Self.time(object.created))
    write("contentEncoding", attributes.contentEncoding)
    write("contentDisposition", attributes.contentDisposition)
    write("contentLanguage", attributes.contentLanguage)
    write("cacheControl", attributes.cacheControl)
    write("customTime", attributes.customTime)
    if let count = object.componentCount, count > 0 {
      writeKey("componentCount")
      writeNumber(String(count))
    }
    write("temporaryHold", attributes.temporaryHold)
    write("eventBasedHold", attributes.eventBasedHold)
    writeTimes(of: object, form.bucket)
    writeSettings(of: object, form)
    writeCustom(of: object)
    endObject()
  }

  private mutating func writeTimes(of object: Object, _ bucket: Bucket) {
    write("timeDeleted", object.deleted.map(Self.time))
    write("softDeleteTime", object.softDeleted.map(Self.time))
    write("hardDeleteTime", object.hardDeleted.map(Self.time))
    write("retentionExpirationTime", object.retentionEnd(in: bucket).map(Self.time))
  }

  private mutating func writeSettings(of object: Object, _ form: CloudObjectForm) {
    var settings = object.attributes.settings
    settings["acl"] = nil
    settings["owner"] = nil
    for (key, value) in settings.sorted(by: { $0.key < $1.key }) {
      writeKey(key.string)
      value.write(to: &self)
    }
    guard form.isFull, !form.bucket.hasUniformAccess else { return }
    writeKey("owner")
    beginObject()
    write("entity", object.owner)
    endObject()
    writeKey("acl")
    beginArray()
    let target = AccessTarget.object(object.name, generation: object.generation)
    for entry in object.access(in: form.bucket) { write(entry, of: target, form.origin) }
    endArray()
  }

  /// The custom entries, and the download tokens as one of them.
  private mutating func writeCustom(of object: Object) {
    var entries = object.attributes.custom
    if !object.tokens.isEmpty {
      entries["firebaseStorageDownloadTokens"] = object.tokens.joined(separator: ",")
    }
    guard !entries.isEmpty else { return }
    writeKey("metadata")
    beginObject()
    for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
      writeKey(key.string)
      writeString(value)
    }
    endObject()
  }

  private mutating func write(_ key: StaticString, _ value: Bool?) {
    guard let value else { return }
    writeKey(key)
    writeBool(value)
  }
}
