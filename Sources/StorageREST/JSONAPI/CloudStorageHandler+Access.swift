internal import Coding
internal import HTTPServer
internal import ObjectStorage
internal import StorageService

/// Who may do what, and what else belongs to a bucket.
extension CloudStorageHandler {
  private static let maximumAccess = 100

  func answerPart(
    _ call: StorageCall, _ kind: String, _ rest: [String]
  ) async throws(StorageError) -> StorageAnswer {
    switch (kind, rest.count) {
    case ("acl", ...1):
      return try await answerAccess(call, .bucket(call.bucket), rest.first)
    case ("defaultObjectAcl", ...1):
      return try await answerAccess(call, .objects(of: call.bucket), rest.first)
    case ("iam", 0): return try await answerPolicy(call)
    case ("iam", 1) where rest[0] == "testPermissions":
      _ = try operations.getBucket(call.bucket)
      let permissions = call.query.filter { $0.name == "permissions" }.map(\.value)
      return StorageAnswer { writer in
        writer.beginObject()
        writer.write("kind", "storage#testIamPermissionsResponse")
        writer.writeKey("permissions")
        writer.beginArray()
        for permission in permissions { writer.writeString(permission) }
        writer.endArray()
        writer.endObject()
      }
    case ("notificationConfigs", ...1):
      return try await answerEntries(call, .notifications, rest.first)
    case ("managedFolders", ...1): return try await answerEntries(call, .folders, rest.first)
    case ("lockRetentionPolicy", 0) where call.request.method == "POST":
      guard try call.number("ifMetagenerationMatch") != nil else {
        throw StorageError(
          .invalidArgument, "Required parameter: ifMetagenerationMatch", reason: "required")
      }
      return StorageAnswer(
        try await operations.lockRetention(of: call.bucket, call.preconditions()), call)
    case ("restore", 0) where call.request.method == "POST":
      return StorageAnswer(
        try await operations.restoreBucket(
          call.bucket, generation: try call.number("generation") ?? 0), call)
    case ("storageLayout", 0): return try layout(call)
    default: throw StorageError(.notImplemented, "Not Implemented")
    }
  }

  private func layout(_ call: StorageCall) throws(StorageError) -> StorageAnswer {
    let bucket = try operations.getBucket(call.bucket)
    let location = bucket.settings["location"]?.text ?? "US"
    let isNested = bucket.settings["hierarchicalNamespace"]?["enabled"] == .bool(true)
    return StorageAnswer { writer in
      writer.beginObject()
      writer.write("kind", "storage#storageLayout")
      writer.write("bucket", bucket.name.string)
      writer.write("location", location)
      writer.write("locationType", JSONWriter.locationType(of: bucket))
      writer.writeKey("hierarchicalNamespace")
      writer.beginObject()
      writer.writeKey("enabled")
      writer.writeBool(isNested)
      writer.endObject()
      writer.endObject()
    }
  }

  // MARK: Lists of access

  func answerAccess(
    _ call: StorageCall, _ target: AccessTarget, _ entity: String?
  ) async throws(StorageError) -> StorageAnswer {
    let (method, conditions) = (call.request.method, try call.preconditions())
    guard let entity else {
      switch method {
      case "GET", "HEAD":
        let list = try operations.accessList(of: target)
        return StorageAnswer { writer in
          writer.beginObject()
          writer.write("kind", target.kind + "s")
          writer.writeKey("items")
          writer.beginArray()
          for entry in list { writer.write(entry, of: target, call.origin) }
          writer.endArray()
          writer.endObject()
        }
      case "POST":
        guard let entry = AccessEntry(.object(try await call.object())) else {
          throw StorageError(.invalidArgument, "Required: entity and role", reason: "required")
        }
        return try await set(entry, call, target, conditions, mustExist: false)
      default: throw Self.unknownMethod(call)
      }
    }
    switch method {
    case "GET", "HEAD":
      let list = try operations.accessList(of: target)
      guard let entry = list.first(where: { $0.entity == entity }) else { throw .noAccess }
      return StorageAnswer(entry, of: target, call)
    case "PUT", "PATCH", "POST":
      guard let role = try await call.object()["role"]?.text else {
        throw StorageError(.invalidArgument, "Required: role", reason: "required")
      }
      return try await set(
        AccessEntry(entity: entity, role: role), call, target, conditions, mustExist: true)
    case "DELETE":
      try await operations.changeAccess(of: target, conditions) { list throws(StorageError) in
        guard list.contains(where: { $0.entity == entity }) else { throw .noAccess }
        list.removeAll { $0.entity == entity }
      }
      return .noContent
    default: throw Self.unknownMethod(call)
    }
  }

  private func set(
    _ entry: AccessEntry, _ call: StorageCall, _ target: AccessTarget,
    _ conditions: Preconditions, mustExist: Bool
  ) async throws(StorageError) -> StorageAnswer {
    guard ["OWNER", "READER", "WRITER"].contains(entry.role) else {
      throw StorageError(.invalidArgument, "Invalid role \(entry.role)")
    }
    try await operations.changeAccess(of: target, conditions) { list throws(StorageError) in
      if let index = list.firstIndex(where: { $0.entity == entry.entity }) {
        list[index] = entry
      } else {
        guard !mustExist else { throw .noAccess }
        guard list.count < Self.maximumAccess else {
          throw StorageError(
            .invalidArgument, "The list has \(Self.maximumAccess) entries already.")
        }
        list.append(entry)
      }
    }
    return StorageAnswer(entry, of: target, call)
  }

  // MARK: Policies

  private func answerPolicy(_ call: StorageCall) async throws(StorageError) -> StorageAnswer {
    let policy: [UTF8String: JSONValue]
    switch call.request.method {
    case "GET", "HEAD": policy = try operations.policy(of: call.bucket)
    case "PUT":
      policy = try await operations.setPolicy(try await call.object(), of: call.bucket)
    default: throw Self.unknownMethod(call)
    }
    var shown = policy
    shown["kind"] = .string("storage#policy")
    shown["resourceId"] = .string("projects/_/buckets/\(call.bucket)")
    return StorageAnswer { [shown] in JSONValue.object(shown).write(to: &$0) }
  }

  // MARK: Notifications and folders

  private func answerEntries(
    _ call: StorageCall, _ list: BucketList, _ name: String?
  ) async throws(StorageError) -> StorageAnswer {
    // The name of a folder may be told without the slash at its end.
    let name = name.map { list == .folders && !$0.hasSuffix("/") ? $0 + "/" : $0 }
    switch (call.request.method, name) {
    case ("GET", nil), ("HEAD", nil):
      let all = try operations.entries(list, of: call.bucket).map { shown($0, list, call) }
      return StorageAnswer { writer in
        writer.beginObject()
        writer.write("kind", list.kind + "s")
        if !all.isEmpty {
          writer.writeKey("items")
          JSONValue.array(all).write(to: &writer)
        }
        writer.endObject()
      }
    case ("POST", nil):
      var entry = try await call.object()
      if list == .folders {
        guard let name = entry["name"]?.text, !name.isEmpty else { throw .missingName }
        entry = ["name": .string(name.hasSuffix("/") ? name : name + "/")]
      } else {
        guard let topic = entry["topic"]?.text, Self.isTopic(topic) else {
          throw StorageError(.invalidArgument, "Invalid Google Cloud Pub/Sub topic.")
        }
        entry["id"] = nil
        entry["payload_format"] = entry["payload_format"] ?? .string("JSON_API_V1")
      }
      let added = try await operations.addEntry(entry, to: list, of: call.bucket)
      return StorageAnswer { [shown = shown(added, list, call)] in shown.write(to: &$0) }
    case ("GET", .some(let name)), ("HEAD", .some(let name)):
      let entry = try operations.entries(list, of: call.bucket)
        .first { $0[list.key] == .string(name) }
      guard let entry else { throw StorageError(.notFound, "There is no \(name).") }
      return StorageAnswer { [shown = shown(entry, list, call)] in shown.write(to: &$0) }
    case ("DELETE", .some(let name)):
      try await operations.removeEntry(name, from: list, of: call.bucket)
      return .noContent
    default: throw Self.unknownMethod(call)
    }
  }

  /// `//pubsub.googleapis.com/projects/PROJECT/topics/TOPIC`
  private static func isTopic(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 7 && parts.prefix(4) == ["", "", "pubsub.googleapis.com", "projects"]
      && parts[5] == "topics" && !parts[4].isEmpty && !parts[6].isEmpty
  }

  private func shown(
    _ entry: [UTF8String: JSONValue], _ list: BucketList, _ call: StorageCall
  ) -> JSONValue {
    var entry = entry
    let (bucket, name) = (call.bucket.string, entry[list.key]?.text ?? "")
    entry["kind"] = .string(list.kind)
    entry["etag"] = .string(name)
    entry["selfLink"] = .string(
      "\(call.origin)/storage/v1/b/\(PercentCoding.encode(bucket))/\(list.path)/\(PercentCoding.encode(name))"
    )
    if list == .folders {
      entry["bucket"] = .string(bucket)
      entry["id"] = .string("\(bucket)/\(name)")
    }
    return .object(entry)
  }

  /// The folders that a list wants among its prefixes.
  func folders(_ call: StorageCall) throws(StorageError) -> [String] {
    guard call.flag("includeFoldersAsPrefixes"), call.parameter("delimiter") == "/" else {
      return []
    }
    let prefix = call.parameter("prefix") ?? ""
    return try operations.entries(.folders, of: call.bucket).compactMap { $0["name"]?.text }
      .filter { $0.utf8.starts(with: prefix.utf8) }
      .map { name in
        let rest = name.dropFirst(prefix.count).prefix { $0 != "/" }
        return "\(prefix)\(rest)/"
      }
  }
}

extension BucketList {
  fileprivate var kind: String {
    switch self {
    case .notifications: "storage#notification"
    case .folders: "storage#managedFolder"
    }
  }

  fileprivate var path: String {
    switch self {
    case .notifications: "notificationConfigs"
    case .folders: "managedFolders"
    }
  }
}

extension AccessTarget {
  fileprivate var kind: String {
    switch self {
    case .bucket: "storage#bucketAccessControl"
    case .objects, .object: "storage#objectAccessControl"
    }
  }
}

extension StorageError {
  fileprivate static let noAccess = StorageError(
    .notFound, "The specified ACL entry does not exist.")
  fileprivate static let missingName = StorageError(
    .invalidArgument, "Required parameter: name", reason: "required")
}

extension StorageAnswer {
  fileprivate init(_ entry: AccessEntry, of target: AccessTarget, _ call: StorageCall) {
    self.init { $0.write(entry, of: target, call.origin) }
  }
}

extension JSONWriter {
  /// A line of a list of access; `origin` is where the client sees the server.
  mutating func write(_ entry: AccessEntry, of target: AccessTarget, _ origin: String) {
    let bucket = target.bucket.string
    let base = "\(origin)/storage/v1/b/\(PercentCoding.encode(bucket))"
    let entity = PercentCoding.encode(entry.entity)
    beginObject()
    write("kind", target.kind)
    switch target {
    case .bucket:
      write("id", "\(bucket)/\(entry.entity)")
      write("selfLink", "\(base)/acl/\(entity)")
      write("bucket", bucket)
    case .objects: break
    case .object(let name, let generation):
      let object = name.name.string
      if let generation {
        write("id", "\(bucket)/\(object)/\(generation)/\(entry.entity)")
        write("generation", String(generation))
      }
      write("selfLink", "\(base)/o/\(PercentCoding.encode(object))/acl/\(entity)")
      write("bucket", bucket)
      write("object", object)
    }
    write("entity", entry.entity)
    write("role", entry.role)
    write("etag", "CAE=")
    for (prefix, member) in [("user-", "email"), ("group-", "email"), ("domain-", "domain")]
    where entry.entity.hasPrefix(prefix) {
      writeKey(member)
      writeString(String(entry.entity.dropFirst(prefix.count)))
    }
    for team in ["owners", "editors", "viewers"]
    where entry.entity.hasPrefix("project-\(team)-") {
      writeKey("projectTeam")
      beginObject()
      write("projectNumber", String(entry.entity.dropFirst(team.count + 9)))
      write("team", team)
      endObject()
    }
    endObject()
  }
}
