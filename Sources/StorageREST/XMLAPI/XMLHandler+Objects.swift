internal import Coding
internal import HTTPServer
internal import ObjectStorage
internal import StorageService

/// Objects.
extension XMLHandler {
  func answerObject(_ call: StorageCall) async throws(StorageError) -> StorageAnswer? {
    let name = try call.objectName()
    switch call.request.method {
    case "GET", "HEAD":
      _ = try operations.getBucket(call.bucket)
      return try await ObjectDownload(operations: operations, call: call, style: .xml).send(name)
    case "PUT": return try await put(call, name)
    case "DELETE":
      _ = try operations.getBucket(call.bucket)
      _ = try operations.find(call.source(name))
      try await operations.deleteObject(
        name, generation: call.generation(), call.xmlPreconditions())
      return .noContent
    case "POST" where call.fields.first("x-goog-resumable") == "start":
      return try await start(call, name)
    default: throw StorageError(.invalidArgument, "There is no \(call.request.method) here.")
    }
  }

  private func description(
    _ call: StorageCall, _ name: ObjectName
  ) async throws(StorageError) -> UploadDescription {
    try await operations.ensureUploadBucket(call.bucket)
    var description = UploadDescription(
      name: name, changes: call.fields.xmlChanges, expected: call.checksums)
    description.preconditions = try call.xmlPreconditions()
    if let md5 = call.fields.first("content-md5") { description.expected.md5 = md5 }
    try call.complete(&description.changes, in: try operations.getBucket(call.bucket))
    return description
  }

  /// Begins an upload that goes on at the JSON API.
  private func start(
    _ call: StorageCall, _ name: ObjectName
  ) async throws(StorageError) -> StorageAnswer {
    let id = try await operations.startInsertion(
      try await description(call, name), announcedSize: nil)
    return StorageAnswer(status: 201).adding(
      "Location", call.uploadURL(id, name).fieldValue
    ).adding("X-GUploader-UploadID", id)
  }

  private func put(
    _ call: StorageCall, _ name: ObjectName
  ) async throws(StorageError) -> StorageAnswer {
    let description = try await description(call, name)
    guard
      let source = call.fields.first("x-goog-copy-source")
        ?? call.fields.first("x-amz-copy-source")
    else {
      let object = try await operations.insertObject(
        description, from: RequestBytes(body: call.exchange.body))
      var answer = StorageAnswer(status: 200)
      answer.fields = object.xmlFields
      return answer
    }
    var changes = AttributeChanges()
    let directive =
      call.fields.first("x-goog-metadata-directive")
      ?? call.fields.first("x-amz-metadata-directive")
    if directive?.uppercased() == "REPLACE" {
      changes = description.changes
      changes.replacesAll = true
    }
    for setting: UTF8String in ["customerEncryption", "kmsKeyName", "owner", "acl"] {
      changes.settings[setting] = description.changes.settings[setting] ?? .null
    }
    let original = try operations.find(call.copySource(source))
    try CustomerKey.check(try CustomerKey(call, ofSource: true), for: original)
    let object = try await operations.copyObject(
      original, to: name, changes, description.preconditions)
    var writer = XMLWriter()
    writer.element("CopyObjectResult", namespace: XMLHandler.namespace) { writer in
      writer.element("LastModified", JSONWriter.time(object.updated))
      writer.element("ETag", object.xmlETag)
    }
    var answer = StorageAnswer(xml: writer)
    answer.fields += object.xmlFields
    return answer
  }

  static let namespace = "http://doc.s3.amazonaws.com/2006-03-01"
}

extension Object {
  /// The checksum in hexadecimal, in quotes; what has none has another mark.
  var xmlETag: String {
    guard !md5.isEmpty else { return "\"\(etag)\"" }
    return "\"\(Hexadecimal.encode(md5))\""
  }

  /// What is said about an object that was written.
  var xmlFields: [(name: String, value: String)] {
    [
      ("ETag", xmlETag), ("Last-Modified", HTTPDate.format(updated / 1_000_000)),
      ("X-Goog-Generation", String(generation)), ("X-Goog-Metageneration", String(metageneration)),
      ("X-Goog-Hash", hashes), ("X-Goog-Stored-Content-Length", String(size)),
      ("X-Goog-Stored-Content-Encoding", (attributes.contentEncoding ?? "identity").fieldValue),
    ]
  }
}

extension HTTPFields {
  /// The metadata that the fields of a request give an object.
  var xmlChanges: AttributeChanges {
    var changes = AttributeChanges()
    func change(_ field: String) -> AttributeChanges.Change {
      first(field).map { .set($0) } ?? .keep
    }
    changes.contentType = change("content-type")
    changes.cacheControl = change("cache-control")
    changes.contentDisposition = change("content-disposition")
    changes.contentEncoding = change("content-encoding")
    changes.contentLanguage = change("content-language")
    changes.storageClass = change("x-goog-storage-class")
    changes.customTime = change("x-goog-custom-time")
    var entries: [UTF8String: String?] = [:]
    for line in lines {
      for prefix in ["x-goog-meta-", "x-amz-meta-"] where line.name.hasPrefix(prefix) {
        entries[UTF8String(String(line.name.dropFirst(prefix.count)))] = .some(line.value)
      }
    }
    if !entries.isEmpty { changes.custom = .merge(entries) }
    return changes
  }
}

extension StorageCall {
  fileprivate func xmlPreconditions() throws(StorageError) -> Preconditions {
    var conditions = Preconditions()
    conditions.generation = try conditionNumber("x-goog-if-generation-match")
    conditions.metageneration = try conditionNumber("x-goog-if-metageneration-match")
    return conditions
  }

  private func conditionNumber(_ field: String) throws(StorageError) -> Int64? {
    guard let text = fields.first(field) else { return nil }
    guard let number = Int64(text) else {
      throw StorageError(.invalidArgument, "Invalid value for \(field).")
    }
    return number
  }

  /// The object that a field names as `/bucket/name`, percent-encoded.
  fileprivate func copySource(_ text: String) throws(StorageError) -> ObjectSource {
    let bare = text.hasPrefix("/") ? text.dropFirst() : text[...]
    let parts = bare.split(separator: "/", maxSplits: 1)
    guard parts.count == 2, let bucket = PercentCoding.decode(String(parts[0])),
      let name = PercentCoding.decode(String(parts[1]))
    else { throw StorageError(.invalidArgument, "Invalid copy source.") }
    var source = ObjectSource(
      name: try ObjectName(bucket: UTF8String(bucket), name: UTF8String(name)))
    source.generation = try conditionNumber("x-goog-copy-source-generation")
    source.preconditions.generation = try conditionNumber(
      "x-goog-copy-source-if-generation-match")
    return source
  }
}
