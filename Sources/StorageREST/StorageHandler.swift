internal import Coding
package import HTTPServer
package import ObjectStorage
package import StorageService

/// Answers the v0 API of Firebase Storage: everything below `/v0`.
package struct StorageHandler: HTTPHandler {
  let operations: StorageOperations
  private let failed: @Sendable (HTTPRequestHead, StorageError) -> Void

  /// `failed` is told of each request that is answered with an error.
  package init(
    _ operations: StorageOperations,
    failed: @escaping @Sendable (HTTPRequestHead, StorageError) -> Void
  ) {
    self.operations = operations
    self.failed = failed
  }

  package func handle(_ exchange: HTTPExchange) async {
    let answer: StorageAnswer?
    do throws(StorageError) {
      answer = try await self.answer(exchange)
    } catch {
      failed(exchange.request, error)
      answer = StorageAnswer(error)
    }
    await answer?.send(to: exchange)
  }

  /// - Returns: `nil` if the answer was sent already.
  private func answer(_ exchange: HTTPExchange) async throws(StorageError) -> StorageAnswer? {
    guard let target = HTTPTarget(exchange.request.target) else {
      throw StorageError(.invalidArgument, "The path or the query is not valid UTF-8.")
    }
    let path = target.decodedSegments
    if path == ["v0"] || path == ["v0", ""] {
      return StorageAnswer { writer in
        writer.beginObject()
        writer.writeKey("emulator")
        writer.writeString("storage")
        writer.endObject()
      }
    }
    guard path.count >= 4, path[0] == "v0", path[1] == "b", path[3] == "o" else {
      throw StorageError(.notFound, "Not Found.")
    }
    // Some clients do not escape the slashes of a name.
    let name = path[4...].joined(separator: "/")
    let call = StorageCall(
      exchange: exchange, bucket: UTF8String(path[2]),
      pathName: name.utf8.isEmpty ? nil : UTF8String(name), query: target.query)
    try await operations.ensureBucket(call.bucket)
    return try await answer(call)
  }

  private func answer(_ call: StorageCall) async throws(StorageError) -> StorageAnswer? {
    switch call.request.method {
    case "GET", "HEAD":
      if call.pathName == nil { return try await list(call) }
      if call.parameter("alt") == "media" {
        return try await ObjectDownload(operations: operations, call: call, style: .firebase)
          .send(call.objectName())
      }
      return StorageAnswer(try await operations.getObject(call.objectName(), by: call.requester))
    case "POST", "PUT":
      if call.fields.first("x-http-method-override") == "PATCH" { return try await patch(call) }
      if let answer = try await changeTokens(call) { return answer }
      return try await upload(call)
    case "PATCH": return try await patch(call)
    case "DELETE":
      try await operations.deleteObject(
        call.objectName(), call.preconditions(), by: call.requester)
      return .noContent
    default: throw StorageError(.notFound, "Not Found.")
    }
  }

  private func list(_ call: StorageCall) async throws(StorageError) -> StorageAnswer {
    var request = ListRequest(bucket: call.bucket)
    request.prefix = UTF8String(call.parameter("prefix") ?? "")
    request.delimiter = UTF8String(call.parameter("delimiter") ?? "")
    if let token = call.parameter("pageToken"), !token.isEmpty { request.pageToken = token }
    if let limit = try call.number("maxResults") {
      guard limit > 0 else {
        throw StorageError(.invalidArgument, "maxResults must be greater than 0.")
      }
      request.limit = Int(min(limit, Int64(ListRequest.maximumLimit)))
    }
    let listing = try await operations.listObjects(request, by: call.requester)
    return StorageAnswer { $0.write(listing, of: call.bucket) }
  }

  private func patch(_ call: StorageCall) async throws(StorageError) -> StorageAnswer {
    let name = try call.objectName()
    let changes = try await call.exchange.body.collectMetadata().changes
    let object = try await operations.updateObject(
      name, changes, call.preconditions(), by: call.requester)
    var answer = StorageAnswer(object)
    answer.fields += object.attributes.fields
    return answer
  }

  private func changeTokens(_ call: StorageCall) async throws(StorageError) -> StorageAnswer? {
    if let create = call.parameter("create_token") {
      guard create == "true" else {
        throw StorageError(.invalidArgument, "create_token must be true.")
      }
      return StorageAnswer(
        try await operations.createToken(call.objectName(), as: call.principal))
    }
    guard let token = call.parameter("delete_token") else { return nil }
    return StorageAnswer(
      try await operations.deleteToken(token, of: call.objectName(), as: call.principal))
  }
}

extension ObjectAttributes {
  /// The fields that say what clients have set.
  var fields: [(name: String, value: String)] {
    [
      ("Content-Disposition", contentDisposition), ("Content-Encoding", contentEncoding),
      ("Cache-Control", cacheControl), ("Content-Language", contentLanguage),
    ].compactMap { name, value in value.map { (name, $0.fieldValue) } }
  }
}

extension String {
  /// The text with what no field may carry as escapes.
  var fieldValue: String {
    guard !utf8.allSatisfy({ 0x20...0x7e ~= $0 }) else { return self }
    return unicodeScalars.map { scalar in
      scalar.isASCII && scalar.value >= 0x20 && scalar.value != 0x7f
        ? String(scalar) : PercentCoding.encode(String(scalar))
    }.joined()
  }
}
