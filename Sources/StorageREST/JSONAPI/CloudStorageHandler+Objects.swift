internal import Coding
internal import HTTPServer
internal import ObjectStorage
internal import StorageService

/// Objects.
extension CloudStorageHandler {
  func answerObjects(_ call: StorageCall) async throws(StorageError) -> StorageAnswer {
    guard ["GET", "HEAD"].contains(call.request.method) else { throw Self.unknownMethod(call) }
    let form = try form(call)
    var request = ListRequest(bucket: call.bucket)
    request.prefix = UTF8String(call.parameter("prefix") ?? "")
    request.delimiter = UTF8String(call.parameter("delimiter") ?? "")
    request.start = call.parameter("startOffset").flatMap { $0.isEmpty ? nil : UTF8String($0) }
    request.end = call.parameter("endOffset").flatMap { $0.isEmpty ? nil : UTF8String($0) }
    request.showsPrefixesAsItems = call.flag("includeTrailingDelimiter")
    if let glob = call.parameter("matchGlob"), !glob.isEmpty {
      request.glob = try Glob(UTF8String(glob))
    }
    if let token = call.parameter("pageToken"), !token.isEmpty { request.pageToken = token }
    request.limit = try call.limit()
    switch (call.flag("versions"), call.flag("softDeleted")) {
    case (false, false): break
    case (true, false): request.generations = .all
    case (false, true): request.generations = .softDeleted
    case (true, true):
      throw StorageError(.invalidArgument, "versions and softDeleted exclude each other.")
    }
    if let filter = call.parameter("filter"), !filter.isEmpty {
      request.filter = try ContextFilter(filter)
    }
    let listing = try await operations.listAllObjects(request)
    let folders = request.pageToken == nil ? try folders(call) : []
    return StorageAnswer { writer in
      writer.beginObject()
      writer.write("kind", "storage#objects")
      writer.write("nextPageToken", listing.nextPageToken)
      let prefixes = folders.isEmpty ? listing.prefixes : Set(listing.prefixes + folders).sorted()
      if !prefixes.isEmpty {
        writer.writeKey("prefixes")
        writer.beginArray()
        for prefix in prefixes { writer.writeString(prefix) }
        writer.endArray()
      }
      if !listing.items.isEmpty {
        writer.writeKey("items")
        writer.beginArray()
        for item in listing.items { writer.write(cloudStorage: item, form) }
        writer.endArray()
      }
      writer.endObject()
    }
  }

  func answerObject(
    _ call: StorageCall, isDownload: Bool
  ) async throws(StorageError) -> StorageAnswer? {
    let name = try call.objectName()
    switch call.request.method {
    case "GET", "HEAD":
      _ = try operations.getBucket(call.bucket)
      if isDownload || call.parameter("alt") == "media" {
        return try await ObjectDownload(
          operations: operations, call: call, style: .cloudStorage
        ).send(name)
      }
      let object = try found(call, name)
      if let answer = try call.precluded(object) { return answer }
      return try answer(object, call)
    case "PATCH", "PUT", "POST": return try await change(call, name)
    case "DELETE":
      _ = try operations.find(call.source(name))
      try await operations.deleteObject(
        name, generation: call.generation(), call.preconditions())
      return .noContent
    default: throw Self.unknownMethod(call)
    }
  }

  private func found(_ call: StorageCall, _ name: ObjectName) throws(StorageError) -> Object {
    guard call.flag("softDeleted") else { return try operations.find(call.source(name)) }
    guard let generation = try call.generation() else {
      throw StorageError(.invalidArgument, "Required parameter: generation", reason: "required")
    }
    return try operations.findDeleted(name, generation: generation)
  }

  private func change(
    _ call: StorageCall, _ name: ObjectName
  ) async throws(StorageError) -> StorageAnswer {
    let isPatch =
      call.request.method == "PATCH" || call.fields.first("x-http-method-override") == "PATCH"
    guard isPatch || call.request.method == "PUT" else { throw Self.unknownMethod(call) }
    var changes = try await call.exchange.body.collectMetadata(.cloudStorage).changes
    changes.replacesAll = !isPatch
    if !isPatch { changes.tokens = changes.tokens ?? [] }
    let object = try operations.find(call.source(name))
    let bucket = try operations.getBucket(call.bucket)
    if isPatch, let list = changes.settings["acl"] { try bucket.check(list: list) }
    if let list = call.parameter("predefinedAcl") {
      changes.settings["acl"] = try StorageCall.access(list, owner: object.owner)
    }
    return try answer(
      try await operations.updateObject(
        name, generation: call.generation(), changes, call.preconditions(),
        overridesRetention: call.flag("overrideUnlockedRetention")), call)
  }

  func restore(_ call: StorageCall) async throws(StorageError) -> StorageAnswer {
    guard call.request.method == "POST" else { throw Self.unknownMethod(call) }
    guard let generation = try call.generation() else {
      throw StorageError(.invalidArgument, "Required parameter: generation", reason: "required")
    }
    return try answer(
      try await operations.restoreObject(
        call.objectName(), generation: generation, call.preconditions()), call)
  }

  func form(
    _ call: StorageCall, of bucket: UTF8String? = nil
  ) throws(StorageError) -> CloudObjectForm {
    CloudObjectForm(
      origin: call.origin, bucket: try operations.getBucket(bucket ?? call.bucket),
      isFull: call.parameter("projection") == "full", keyHash: try CustomerKey(call)?.hash)
  }

  func answer(
    _ object: Object, _ call: StorageCall
  ) throws(StorageError) -> StorageAnswer {
    StorageAnswer(cloudStorage: object, try form(call, of: object.name.bucket))
  }

  // MARK: Objects made of others

  func copy(
    _ call: StorageCall, to target: CloudStoragePath.Target
  ) async throws(StorageError) -> StorageAnswer {
    let (object, changes) = try await source(call, to: target)
    return try answer(
      try await operations.copyObject(
        object, to: ObjectName(bucket: target.bucket, name: target.name), changes,
        call.preconditions()), call)
  }

  /// Copies as well. Who asks for no more than some bytes at a time is told so many of them until all are, then it is done.
  func rewrite(
    _ call: StorageCall, to target: CloudStoragePath.Target
  ) async throws(StorageError) -> StorageAnswer {
    let (object, changes) = try await source(call, to: target)
    let name = try ObjectName(bucket: target.bucket, name: target.name)
    let most = try call.number("maxBytesRewrittenPerCall") ?? .max
    guard most > 0 else {
      throw StorageError(.invalidArgument, "Invalid value for maxBytesRewrittenPerCall.")
    }
    let before = try call.rewrittenBytes(of: object)
    let after = object.size - before <= most ? object.size : before + most
    var copy: Object?
    if after == object.size {
      copy = try await operations.copyObject(object, to: name, changes, call.preconditions())
    }
    let form = try form(call, of: target.bucket)
    return StorageAnswer { writer in
      writer.beginObject()
      writer.write("kind", "storage#rewriteResponse")
      writer.write("totalBytesRewritten", String(after))
      writer.write("objectSize", String(object.size))
      writer.writeKey("done")
      writer.writeBool(copy != nil)
      if let copy {
        writer.writeKey("resource")
        writer.write(cloudStorage: copy, form)
      } else {
        writer.write("rewriteToken", StorageCall.rewriteToken(object, after))
      }
      writer.endObject()
    }
  }

  func move(
    _ call: StorageCall, to name: UTF8String
  ) async throws(StorageError) -> StorageAnswer {
    guard call.request.method == "POST" else { throw Self.unknownMethod(call) }
    return try answer(
      try await operations.moveObject(
        try Self.namedSource(call), to: ObjectName(bucket: call.bucket, name: name),
        call.preconditions()), call)
  }

  private func source(
    _ call: StorageCall, to target: CloudStoragePath.Target
  ) async throws(StorageError) -> (Object, AttributeChanges) {
    var changes = try await call.exchange.body.collectMetadata(.cloudStorage).changes
    let object = try operations.find(Self.namedSource(call))
    try CustomerKey.check(try CustomerKey(call, ofSource: true), for: object)
    try call.complete(&changes, in: try operations.getBucket(target.bucket), "destination")
    // What is not given is not that of the source.
    for name: UTF8String in ["customerEncryption", "kmsKeyName"] {
      changes.settings[name] = changes.settings[name] ?? .null
    }
    return (object, changes)
  }

  private static func namedSource(_ call: StorageCall) throws(StorageError) -> ObjectSource {
    var source = ObjectSource(name: try call.objectName())
    source.generation = try call.generation("sourceGeneration")
    source.preconditions = try call.preconditions(prefix: "ifSource")
    return source
  }

  func compose(_ call: StorageCall) async throws(StorageError) -> StorageAnswer {
    guard call.request.method == "POST" else { throw Self.unknownMethod(call) }
    let request = try await call.object()
    let name = try call.objectName()
    var sources: [ObjectSource] = []
    for element in request["sourceObjects"]?.elements ?? [] {
      guard let members = element.members, let part = members["name"]?.text else {
        throw StorageError(.invalidArgument, "A source object has a name.")
      }
      var source = ObjectSource(
        name: try ObjectName(bucket: name.bucket, name: UTF8String(part)))
      source.generation = try Self.number(members["generation"])
      source.preconditions.generation = try Self.number(
        members["objectPreconditions"]?.members?["ifGenerationMatch"])
      sources.append(source)
    }
    var deletesSources = false
    if case .bool(true) = request["deleteSourceObjects"] { deletesSources = true }
    let metadata = try UploadMetadata(json: request["destination"]?.bytes ?? [], .cloudStorage)
    var changes = metadata.changes
    try call.complete(&changes, in: try operations.getBucket(call.bucket), "destination")
    let key = try CustomerKey(call)
    for source in sources { try CustomerKey.check(key, for: try operations.find(source)) }
    return try answer(
      try await operations.composeObject(
        name, of: sources, changes, call.preconditions(), deletesSources: deletesSources), call)
  }

  /// 64-bit numbers are strings, as a rule.
  private static func number(_ value: JSONValue?) throws(StorageError) -> Int64? {
    guard let value, value != .null else { return nil }
    let text: String? = if case .number(let text) = value { text } else { value.text }
    guard let number = text.flatMap({ Int64($0) }) else {
      throw StorageError(.invalidArgument, "A generation is a number.")
    }
    return number
  }
}
