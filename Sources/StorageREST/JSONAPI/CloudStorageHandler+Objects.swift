internal import Coding
internal import HTTPServer
internal import ObjectStorage
internal import StorageService

/// Objects.
extension CloudStorageHandler {
  func answerObjects(_ call: StorageCall) async throws(StorageError) -> StorageAnswer {
    guard ["GET", "HEAD"].contains(call.request.method) else { throw Self.unknownMethod(call) }
    _ = try operations.getBucket(call.bucket)
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
    let listing = try await operations.listAllObjects(request)
    return StorageAnswer { writer in
      writer.beginObject()
      writer.write("kind", "storage#objects")
      writer.write("nextPageToken", listing.nextPageToken)
      if !listing.prefixes.isEmpty {
        writer.writeKey("prefixes")
        writer.beginArray()
        for prefix in listing.prefixes { writer.writeString(prefix) }
        writer.endArray()
      }
      if !listing.items.isEmpty {
        writer.writeKey("items")
        writer.beginArray()
        for item in listing.items { writer.write(cloudStorage: item, call.origin) }
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
      let object = try operations.find(call.source(name))
      if let answer = try call.precluded(object) { return answer }
      return StorageAnswer(cloudStorage: object, call)
    case "PATCH", "PUT", "POST":
      let isPatch =
        call.request.method == "PATCH" || call.fields.first("x-http-method-override") == "PATCH"
      guard isPatch || call.request.method == "PUT" else { throw Self.unknownMethod(call) }
      var changes = try await call.exchange.body.collectMetadata(.cloudStorage).changes
      changes.replacesAll = !isPatch
      if !isPatch { changes.tokens = changes.tokens ?? [] }
      _ = try operations.find(call.source(name))
      return StorageAnswer(
        cloudStorage: try await operations.updateObject(
          name, changes, call.conditionsOnCurrent()), call)
    case "DELETE":
      _ = try operations.find(call.source(name))
      try await operations.deleteObject(name, call.conditionsOnCurrent())
      return .noContent
    default: throw Self.unknownMethod(call)
    }
  }

  // MARK: Objects made of others

  func copy(
    _ call: StorageCall, to target: CloudStoragePath.Target
  ) async throws(StorageError) -> StorageAnswer {
    let (object, changes) = try await source(call)
    return StorageAnswer(
      cloudStorage: try await operations.copyObject(
        object, to: ObjectName(bucket: target.bucket, name: target.name), changes,
        call.preconditions()), call)
  }

  /// Copies as well. Who asks for no more than some bytes at a time is told so many of them until all are, then it is done.
  func rewrite(
    _ call: StorageCall, to target: CloudStoragePath.Target
  ) async throws(StorageError) -> StorageAnswer {
    let (object, changes) = try await source(call)
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
    return StorageAnswer { writer in
      writer.beginObject()
      writer.write("kind", "storage#rewriteResponse")
      writer.write("totalBytesRewritten", String(after))
      writer.write("objectSize", String(object.size))
      writer.writeKey("done")
      writer.writeBool(copy != nil)
      if let copy {
        writer.writeKey("resource")
        writer.write(cloudStorage: copy, call.origin)
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
    return StorageAnswer(
      cloudStorage: try await operations.moveObject(
        try Self.namedSource(call), to: ObjectName(bucket: call.bucket, name: name),
        call.preconditions()), call)
  }

  private func source(
    _ call: StorageCall
  ) async throws(StorageError) -> (Object, AttributeChanges) {
    let changes = try await call.exchange.body.collectMetadata(.cloudStorage).changes
    return (try operations.find(Self.namedSource(call)), changes)
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
    return StorageAnswer(
      cloudStorage: try await operations.composeObject(
        name, of: sources, metadata.changes, call.preconditions(), deletesSources: deletesSources),
      call)
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

extension StorageCall {
  /// A generation that a parameter names; 0 names none.
  func generation(_ parameter: String = "generation") throws(StorageError) -> Int64? {
    try number(parameter).flatMap { $0 == 0 ? nil : $0 }
  }

  /// The object that the path and the query name.
  func source(_ name: ObjectName) throws(StorageError) -> ObjectSource {
    var source = ObjectSource(name: name)
    source.generation = try generation()
    return source
  }

  /// The conditions of the query, on the generation that it names if it does.
  func conditionsOnCurrent() throws(StorageError) -> Preconditions {
    var conditions = try preconditions()
    let named = try generation()
    conditions.generation = conditions.generation ?? named
    return conditions
  }

  /// What a read is answered whose conditions do not hold; `nil` if they do.
  func precluded(
    _ object: Object, etag: String? = nil
  ) throws(StorageError) -> StorageAnswer? {
    let conditions = try preconditions()
    if conditions.notGeneration == object.generation
      || conditions.notMetageneration == object.metageneration
    {
      return StorageAnswer(status: 304)
    }
    try conditions.check(object)
    let etag = etag ?? "\"\(object.etag)\""
    switch DownloadConditions(fields, object, etag: etag).outcome {
    case .proceed: return nil
    case .notModified: return StorageAnswer(status: 304).adding("ETag", etag)
    case .failed: throw .condition
    }
  }

  static func rewriteToken(_ object: Object, _ bytes: Int64) -> String {
    Base64.encode(Array("\(object.generation)/\(bytes)".utf8), alphabet: .urlSafe)
  }

  /// How far an earlier call said that it was.
  func rewrittenBytes(of object: Object) throws(StorageError) -> Int64 {
    guard let token = parameter("rewriteToken"), !token.isEmpty else { return 0 }
    let parts = Base64.decode(token).map {
      String(decoding: $0, as: UTF8.self).split(separator: "/").map { Int64($0) }
    }
    guard let parts, parts.count == 2, parts[0] == object.generation, let bytes = parts[1],
      0..<object.size ~= bytes
    else { throw StorageError(.invalidArgument, "Invalid rewrite token.") }
    return bytes
  }
}
