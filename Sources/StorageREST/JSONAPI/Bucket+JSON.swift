internal import Coding
internal import ObjectStorage

extension JSONWriter {
  /// A bucket as Cloud Storage shows it; `origin` is where the client sees the server.
  mutating func write(_ bucket: Bucket, _ origin: String) {
    var settings = bucket.settings
    let location = settings["location"]?.text ?? "US"
    settings["location"] = nil
    let storageClass = settings.removeValue(forKey: "storageClass")?.text ?? "STANDARD"
    let name = bucket.name.string
    beginObject()
    write("kind", "storage#bucket")
    write("selfLink", "\(origin)/storage/v1/b/\(PercentCoding.encode(name))")
    write("id", name)
    write("name", name)
    write("projectNumber", "000000000000")
    write("generation", String(bucket.created))
    write("metageneration", String(bucket.metageneration))
    write("location", location)
    let type = Self.locationType(location)
    write("locationType", type)
    if type != "region" { write("rpo", settings.removeValue(forKey: "rpo")?.text ?? "DEFAULT") }
    write("storageClass", storageClass)
    write("etag", bucket.etag)
    write("timeCreated", Self.time(bucket.created))
    write("updated", Self.time(bucket.updated))
    writeKey("iamConfiguration")
    JSONValue.object(Self.access(settings.removeValue(forKey: "iamConfiguration"))).write(to: &self)
    for (key, value) in settings.sorted(by: { $0.key < $1.key }) {
      writeKey(key.string)
      value.write(to: &self)
    }
    endObject()
  }

  private static func access(_ given: JSONValue?) -> [UTF8String: JSONValue] {
    let off = JSONValue.object(["enabled": .bool(false)])
    let standard: [UTF8String: JSONValue] = [
      "bucketPolicyOnly": off, "uniformBucketLevelAccess": off,
      "publicAccessPrevention": .string("inherited"),
    ]
    return standard.merging(given?.members ?? [:]) { $1 }
  }

  private static func locationType(_ location: String) -> String {
    switch location {
    case "US", "EU", "ASIA": "multi-region"
    case "NAM4", "EUR4", "ASIA1": "dual-region"
    default: "region"
    }
  }
}
