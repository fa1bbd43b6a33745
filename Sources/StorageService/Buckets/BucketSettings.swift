package import Coding
package import ObjectStorage

/// What the server itself puts into the settings of buckets, and what it keeps among them unseen.
enum BucketSettings {
  /// Members that are no client's to write: their names are of a form that no setting has.
  static let policy: UTF8String = ".policy"
  static let notifications: UTF8String = ".notifications"
  static let folders: UTF8String = ".folders"
  /// What stays when all settings are replaced.
  private static let lasting: Set<UTF8String> = [
    policy, notifications, folders, "acl", "defaultObjectAcl", "location", "customPlacementConfig",
    "hierarchicalNamespace",
  ]
  /// For how long fine-grained access can be had back: 90 days, in microseconds.
  private static let accessLockTime: Int64 = 90 * 86_400_000_000

  /// Makes `changes` to the settings, or replaces them.
  ///
  /// - Throws: `.permissionDenied` for a shorter retention than one that is locked.
  static func apply(
    _ changes: [UTF8String: JSONValue], to settings: inout [UTF8String: JSONValue], isWhole: Bool,
    at now: Int64
  ) throws(StorageError) {
    let before = settings
    if isWhole { settings = settings.filter { lasting.contains($0.key) } }
    settings.merge(changes.filter { !$0.key.utf8.starts(with: ".".utf8) }, depth: 3)
    if let labels = settings["labels"], labels.members?.isEmpty ?? true { settings["labels"] = nil }
    for name: UTF8String in ["acl", "defaultObjectAcl"] {
      if let list = settings[name] { settings[name] = AccessEntry.list(list)?.json }
    }
    let time = JSONValue.string(Timestamp(microseconds: now).rfc3339)
    try retain(&settings, before, time)
    stamp("softDeletePolicy", "retentionDurationSeconds", "effectiveTime", &settings, before, time)
    classify(&settings, before, time)
    restrict(&settings, before, time)
    lockAccess(&settings, before, now)
    try checkPrevention(settings)
  }

  private static func checkPrevention(
    _ settings: [UTF8String: JSONValue]
  ) throws(StorageError) {
    guard let word = settings["iamConfiguration"]?["publicAccessPrevention"] else { return }
    let known = ["enforced", "inherited", "unspecified"].map { JSONValue.string($0) }
    guard known.contains(word) else {
      throw StorageError(.invalidArgument, "Invalid value for publicAccessPrevention.")
    }
  }

  private static func retain(
    _ settings: inout [UTF8String: JSONValue], _ before: [UTF8String: JSONValue], _ time: JSONValue
  ) throws(StorageError) {
    if settings["retentionPolicy"]?["retentionPeriod"] == nil { settings["retentionPolicy"] = nil }
    stamp("retentionPolicy", "retentionPeriod", "effectiveTime", &settings, before, time)
    guard before["retentionPolicy"]?["isLocked"] == .bool(true) else { return }
    let (old, new) = (before["retentionPolicy"], settings["retentionPolicy"])
    guard new?["retentionPeriod"]?.integer ?? 0 >= old?["retentionPeriod"]?.integer ?? 0 else {
      throw StorageError(
        .permissionDenied,
        "Cannot reduce retention duration of a locked Retention Policy for bucket.")
    }
    settings.merge(["retentionPolicy": .object(["isLocked": .bool(true)])], depth: 2)
  }

  /// Writes a number of 64 bits as clients expect it, and when it was set.
  private static func stamp(
    _ name: UTF8String, _ number: UTF8String, _ effective: UTF8String,
    _ settings: inout [UTF8String: JSONValue], _ before: [UTF8String: JSONValue], _ time: JSONValue
  ) {
    guard let value = settings[name]?[number]?.integer else { return }
    let isOld = before[name]?[number]?.integer == value
    let set = isOld ? before[name]?[effective] ?? time : time
    settings.merge(
      [name: .object([number: .string(String(value)), effective: set])], depth: 2)
  }

  private static func classify(
    _ settings: inout [UTF8String: JSONValue], _ before: [UTF8String: JSONValue], _ time: JSONValue
  ) {
    guard var members = settings["autoclass"]?.members else { return }
    let old = before["autoclass"]
    if members["enabled"] != old?["enabled"] { members["toggleTime"] = time }
    members["terminalStorageClass"] = members["terminalStorageClass"] ?? .string("NEARLINE")
    if members["terminalStorageClass"] != old?["terminalStorageClass"] {
      members["terminalStorageClassUpdateTime"] = time
    }
    settings["autoclass"] = .object(members)
  }

  private static func restrict(
    _ settings: inout [UTF8String: JSONValue], _ before: [UTF8String: JSONValue], _ time: JSONValue
  ) {
    guard var members = settings["encryption"]?.members else { return }
    for (name, value) in members {
      guard var config = value.members else { continue }
      let isOld = before["encryption"]?[name]?["restrictionMode"] == config["restrictionMode"]
      if config["restrictionMode"] == .string("FullyRestricted") {
        config["effectiveTime"] =
          isOld ? before["encryption"]?[name]?["effectiveTime"] ?? time : time
      } else {
        config["effectiveTime"] = nil
      }
      members[name] = .object(config)
    }
    settings["encryption"] = members.isEmpty ? nil : .object(members)
  }

  /// Both names of one setting, as old clients know the second alone.
  private static func lockAccess(
    _ settings: inout [UTF8String: JSONValue], _ before: [UTF8String: JSONValue], _ now: Int64
  ) {
    guard let members = settings["iamConfiguration"]?.members else { return }
    let names: [UTF8String] = ["uniformBucketLevelAccess", "bucketPolicyOnly"]
    let old = before["iamConfiguration"]
    let changed = names.first { members[$0]?["enabled"] != old?[$0]?["enabled"] } ?? names[0]
    guard let isOn = members[changed]?["enabled"] else { return }
    var access: [UTF8String: JSONValue] = ["enabled": isOn]
    if isOn == .bool(true) {
      access["lockedTime"] =
        old?[changed]?["lockedTime"]
        ?? .string(Timestamp(microseconds: now + accessLockTime).rfc3339)
    }
    for name in names {
      settings.merge(["iamConfiguration": .object([name: .null])], depth: 2)
      settings.merge(["iamConfiguration": .object([name: .object(access)])], depth: 2)
    }
  }
}

extension Bucket {
  /// Whether access is a matter of policies alone.
  package var hasUniformAccess: Bool {
    settings["iamConfiguration"]?["uniformBucketLevelAccess"]?["enabled"] == .bool(true)
  }

  /// What clients see of the settings.
  package var shownSettings: [UTF8String: JSONValue] {
    settings.filter { !$0.key.utf8.starts(with: ".".utf8) }
  }
}
