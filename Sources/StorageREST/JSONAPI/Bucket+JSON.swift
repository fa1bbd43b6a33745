internal import Coding
internal import ObjectStorage
internal import StorageService

extension JSONWriter {
  /// A bucket as Cloud Storage shows it; `origin` is where the client sees the server. With `isFull` it has its lists of access.
  mutating func write(_ bucket: Bucket, _ origin: String, isFull: Bool) {
    var settings = bucket.shownSettings
    settings["acl"] = nil
    settings["defaultObjectAcl"] = nil
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
    let type = Self.locationType(of: bucket)
    write("locationType", type)
    if type != "region" { write("rpo", settings.removeValue(forKey: "rpo")?.text ?? "DEFAULT") }
    write("storageClass", storageClass)
    write("etag", bucket.etag)
    write("timeCreated", Self.time(bucket.created))
    write("updated", Self.time(bucket.updated))
    write("softDeleteTime", bucket.softDeleted.map(Self.time))
    write("hardDeleteTime", bucket.hardDeleted.map(Self.time))
    writeKey("iamConfiguration")
    JSONValue.object(Self.access(settings.removeValue(forKey: "iamConfiguration"))).write(to: &self)
    for (key, value) in settings.sorted(by: { $0.key < $1.key }) {
      writeKey(key.string)
      value.write(to: &self)
    }
    if isFull, !bucket.hasUniformAccess { writeAccess(of: bucket, origin) }
    endObject()
  }

  private mutating func writeAccess(of bucket: Bucket, _ origin: String) {
    writeKey("owner")
    beginObject()
    write("entity", AccessEntry.projectOwners)
    endObject()
    for (key, list, target) in [
      ("acl", bucket.access, AccessTarget.bucket(bucket.name)),
      ("defaultObjectAcl", bucket.objectAccess, .objects(of: bucket.name)),
    ] {
      writeKey(key)
      beginArray()
      for entry in list { write(entry, of: target, origin) }
      endArray()
    }
  }

  private static func access(_ given: JSONValue?) -> [UTF8String: JSONValue] {
    let off = JSONValue.object(["enabled": .bool(false)])
    let standard: [UTF8String: JSONValue] = [
      "bucketPolicyOnly": off, "uniformBucketLevelAccess": off,
      "publicAccessPrevention": .string("inherited"),
    ]
    return standard.merging(given?.members ?? [:]) { $1 }
  }

  static func locationType(of bucket: Bucket) -> String {
    guard bucket.settings["customPlacementConfig"] == nil else { return "dual-region" }
    return switch bucket.settings["location"]?.text ?? "US" {
    case "US", "EU", "ASIA": "multi-region"
    case "NAM4", "EUR4", "ASIA1": "dual-region"
    default: "region"
    }
  }
}
