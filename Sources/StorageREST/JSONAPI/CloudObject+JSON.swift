internal import Coding
internal import ObjectStorage

extension JSONWriter {
  /// An object as Cloud Storage shows it; `origin` is where the client sees the server.
  mutating func write(cloudStorage object: Object, _ origin: String) {
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
    write("contentType", attributes.contentType ?? "application/octet-stream")
    write("storageClass", attributes.storageClass ?? "STANDARD")
    write("size", String(object.size))
    write("md5Hash", object.md5Text)
    write("crc32c", object.crc32cText)
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
    writeCustom(of: object)
    endObject()
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
