internal import Coding
internal import HTTPServer
internal import ObjectStorage
internal import StorageService

/// Buckets.
extension CloudStorageHandler {
  func answerBuckets(_ call: StorageCall) async throws(StorageError) -> StorageAnswer {
    switch call.request.method {
    case "GET", "HEAD": return try listBuckets(call)
    case "POST":
      var settings = try await call.bucketSettings()
      guard let name = settings["name"]?.text else {
        throw StorageError(.invalidArgument, "Required parameter: name")
      }
      settings.removeReadOnly()
      settings["location"] = .string((settings["location"]?.text ?? "US").uppercased())
      if call.flag("enableObjectRetention") {
        settings["objectRetention"] = .object(["mode": .string("Enabled")])
      }
      try Self.predefine(&settings, call)
      let bucket = try await operations.createBucket(UTF8String(name), settings: settings)
      return StorageAnswer(bucket, call)
    default: throw Self.unknownMethod(call)
    }
  }

  func answerBucket(_ call: StorageCall) async throws(StorageError) -> StorageAnswer {
    let preconditions = try call.preconditions()
    switch call.request.method {
    case "GET", "HEAD":
      let bucket = try found(call)
      if preconditions.metageneration.map({ $0 != bucket.metageneration }) ?? false {
        throw .condition
      }
      if preconditions.notMetageneration == bucket.metageneration {
        return StorageAnswer(status: 304)
      }
      return StorageAnswer(bucket, call)
    case "PATCH", "PUT", "POST":
      let isPatch =
        call.request.method == "PATCH" || call.fields.first("x-http-method-override") == "PATCH"
      guard isPatch || call.request.method == "PUT" else { throw Self.unknownMethod(call) }
      var settings = try await call.bucketSettings()
      settings.removeReadOnly()
      settings["location"] = nil
      let bucket = try operations.getBucket(call.bucket)
      for list in [settings["acl"], settings["defaultObjectAcl"]] where isPatch {
        if let list { try bucket.check(list: list) }
      }
      try Self.predefine(&settings, call)
      return StorageAnswer(
        try await operations.updateBucket(
          call.bucket, settings, isWhole: !isPatch, preconditions), call)
    case "DELETE":
      try await operations.deleteBucket(call.bucket, preconditions)
      return .noContent
    default: throw Self.unknownMethod(call)
    }
  }

  private func found(_ call: StorageCall) throws(StorageError) -> Bucket {
    guard call.flag("softDeleted") else { return try operations.getBucket(call.bucket) }
    return try operations.getDeletedBucket(
      call.bucket, generation: try call.number("generation") ?? 0)
  }

  /// Takes the lists that words of the query stand for.
  private static func predefine(
    _ settings: inout [UTF8String: JSONValue], _ call: StorageCall
  ) throws(StorageError) {
    let owner = AccessEntry.projectOwners
    if let list = call.parameter("predefinedAcl") {
      settings["acl"] = try StorageCall.access(list, owner: owner)
    }
    if let list = call.parameter("predefinedDefaultObjectAcl") {
      settings["defaultObjectAcl"] = try StorageCall.access(list, owner: owner)
    }
  }

  private func listBuckets(_ call: StorageCall) throws(StorageError) -> StorageAnswer {
    let prefix = UTF8String(call.parameter("prefix") ?? "")
    var last: UTF8String?
    if let token = call.parameter("pageToken"), !token.isEmpty {
      guard let text = Base64.decode(token).flatMap({ String(utf8: $0.span) }) else {
        throw StorageError(.invalidArgument, "Invalid page token.")
      }
      last = UTF8String(text)
    }
    let (buckets, hasMore) = try operations.listBuckets(
      prefix: prefix, after: last, limit: try call.limit())
    let isFull = call.parameter("projection") == "full"
    return StorageAnswer { writer in
      writer.beginObject()
      writer.write("kind", "storage#buckets")
      if !buckets.isEmpty {
        writer.writeKey("items")
        writer.beginArray()
        for bucket in buckets { writer.write(bucket, call.origin, isFull: isFull) }
        writer.endArray()
      }
      if hasMore, let last = buckets.last {
        writer.write("nextPageToken", Base64.encode(Array(last.name.utf8), alphabet: .urlSafe))
      }
      writer.endObject()
    }
  }
}

extension StorageCall {
  /// The members of a JSON object that is the body, whatever its type says.
  fileprivate func bucketSettings() async throws(StorageError) -> [UTF8String: JSONValue] {
    try await object()
  }

  /// The body as a JSON object; nothing at all is an empty one.
  func object() async throws(StorageError) -> [UTF8String: JSONValue] {
    let text = try await exchange.body.collectJSON()
    guard text.contains(where: { $0 > 0x20 }) else { return [:] }
    guard let members = (try? JSONValue(text))?.members else {
      throw StorageError(.invalidArgument, "Parse Error")
    }
    return members
  }

  /// How many entries a page may have.
  func limit() throws(StorageError) -> Int {
    guard let limit = try number("maxResults"), limit != 0 else { return ListRequest.maximumLimit }
    guard limit > 0 else {
      throw StorageError(.invalidArgument, "maxResults must not be negative.")
    }
    return Int(min(limit, Int64(ListRequest.maximumLimit)))
  }
}

extension [UTF8String: JSONValue] {
  /// Takes out what is not the user's to write.
  fileprivate mutating func removeReadOnly() {
    for name: UTF8String in [
      "kind", "id", "selfLink", "name", "projectNumber", "timeCreated", "updated", "generation",
      "metageneration", "etag", "owner", "locationType",
    ] {
      self[name] = nil
    }
  }
}

extension StorageAnswer {
  init(_ bucket: Bucket, _ call: StorageCall) {
    let isFull = call.parameter("projection") == "full"
    self.init { $0.write(bucket, call.origin, isFull: isFull) }
  }
}
