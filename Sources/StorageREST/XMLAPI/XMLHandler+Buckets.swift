internal import Coding
internal import HTTPServer
internal import ObjectStorage
internal import StorageService

/// Buckets and their lists.
extension XMLHandler {
  func answerBucket(_ call: StorageCall) async throws(StorageError) -> StorageAnswer {
    switch call.request.method {
    case "PUT":
      _ = try await operations.createBucket(call.bucket, settings: [:])
      return StorageAnswer(status: 200)
    case "HEAD":
      _ = try operations.getBucket(call.bucket)
      return StorageAnswer(status: 200)
    case "GET":
      _ = try operations.getBucket(call.bucket)
      return try await list(call)
    case "DELETE":
      try await operations.deleteBucket(call.bucket, Preconditions())
      return .noContent
    default: throw StorageError(.invalidArgument, "There is no \(call.request.method) here.")
    }
  }

  /// The first form of lists goes on behind a name, the second with a token as well.
  private func list(_ call: StorageCall) async throws(StorageError) -> StorageAnswer {
    let isSecond = call.parameter("list-type") == "2"
    var request = ListRequest(bucket: call.bucket)
    request.prefix = UTF8String(call.parameter("prefix") ?? "")
    request.delimiter = UTF8String(call.parameter("delimiter") ?? "")
    if isSecond, let token = call.parameter("continuation-token"), !token.isEmpty {
      request.pageToken = token
    } else if let last = call.parameter(isSecond ? "start-after" : "marker"), !last.isEmpty {
      if !isSecond, last.utf8.starts(with: request.prefix.utf8) {
        // It may be a prefix that was shown.
        request.pageToken = Base64.encode(Array(last.utf8), alphabet: .urlSafe)
      } else {
        request.start = UTF8String(last + "\0")
      }
    }
    let limit = try call.number("max-keys") ?? Int64(ListRequest.maximumLimit)
    guard limit >= 0 else { throw StorageError(.invalidArgument, "Invalid value for max-keys.") }
    request.limit = Int(min(limit, Int64(ListRequest.maximumLimit)))
    let listing =
      request.limit == 0 ? ObjectListing() : try await operations.listAllObjects(request)
    let isEncoded = call.parameter("encoding-type") == "url"
    func shown(_ name: String) -> String { isEncoded ? PercentCoding.encode(name) : name }
    var writer = XMLWriter()
    writer.element("ListBucketResult", namespace: Self.namespace) { writer in
      writer.element("Name", call.bucket.string)
      writer.element("Prefix", shown(request.prefix.string))
      if !request.delimiter.isEmpty { writer.element("Delimiter", shown(request.delimiter.string)) }
      writer.element("MaxKeys", String(request.limit))
      if isSecond {
        writer.element("KeyCount", String(listing.items.count + listing.prefixes.count))
      }
      writer.element("IsTruncated", listing.nextPageToken == nil ? "false" : "true")
      if let token = listing.nextPageToken {
        if isSecond {
          writer.element("NextContinuationToken", token)
        } else if let last = Base64.decode(token) {
          writer.element("NextMarker", shown(String(decoding: last, as: UTF8.self)))
        }
      }
      for item in listing.items { writer.write(item, name: shown(item.name.name.string)) }
      for prefix in listing.prefixes {
        writer.element("CommonPrefixes") { $0.element("Prefix", shown(prefix)) }
      }
    }
    return StorageAnswer(xml: writer)
  }
}

extension XMLWriter {
  fileprivate mutating func write(_ object: Object, name: String) {
    element("Contents") { writer in
      writer.element("Key", name)
      writer.element("Generation", String(object.generation))
      writer.element("MetaGeneration", String(object.metageneration))
      writer.element("LastModified", JSONWriter.time(object.updated))
      writer.element("ETag", object.xmlETag)
      writer.element("Size", String(object.size))
      writer.element("StorageClass", object.attributes.storageClass ?? "STANDARD")
    }
  }
}
