internal import Coding
package import HTTPServer
package import ObjectStorage
package import StorageService

/// Answers the JSON API of Cloud Storage (storage/v1), under each of the paths that its clients put before it. Everybody is the
/// administrator there.
package struct CloudStorageHandler: HTTPHandler {
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

  /// Whether a request is of this API.
  package static func handles(_ request: HTTPRequestHead) -> Bool {
    guard let target = HTTPTarget(request.target) else { return false }
    return isBatch(target) || isToken(target, request)
      || CloudStoragePath(target.decodedSegments) != nil
  }

  private static func isToken(_ target: HTTPTarget, _ request: HTTPRequestHead) -> Bool {
    request.method == "POST" && target.decodedSegments == ["token"]
  }

  private static func isBatch(_ target: HTTPTarget) -> Bool {
    [["batch"], ["batch", "storage", "v1"]].contains(target.decodedSegments)
  }

  package func handle(_ exchange: HTTPExchange) async {
    var answer: StorageAnswer?
    do throws(StorageError) {
      if let target = HTTPTarget(exchange.request.target), Self.isBatch(target) {
        answer = try await answerBatch(exchange)
      } else if let target = HTTPTarget(exchange.request.target),
        Self.isToken(target, exchange.request)
      {
        answer = try await answerToken(exchange)
      } else {
        answer = try await self.answer(exchange)
      }
    } catch {
      answer = note(error, exchange.request)
    }
    await answer?.send(to: exchange)
  }

  /// The answer to what went wrong.
  func note(_ error: StorageError, _ request: HTTPRequestHead) -> StorageAnswer {
    failed(request, error)
    return StorageAnswer(cloudStorage: error)
  }

  /// - Returns: `nil` if the answer was sent already.
  func answer(_ exchange: HTTPExchange) async throws(StorageError) -> StorageAnswer? {
    guard let target = HTTPTarget(exchange.request.target) else {
      throw StorageError(.invalidArgument, "The path or the query is not valid UTF-8.")
    }
    guard let path = CloudStoragePath(target.decodedSegments) else {
      throw StorageError(.notFound, "Not Found")
    }
    var exchange = exchange
    let isCoded = exchange.request.fields.first("content-encoding")?.lowercased() == "gzip"
    // Of an upload of bytes alone, the field is about the object.
    let type = exchange.request.fields.first("content-type") ?? ""
    if isCoded, !path.isUpload || type.hasPrefix("multipart/") {
      exchange = exchange.with(body: GzipRequestBody(exchange.body))
    }
    let call = StorageCall(
      exchange: exchange, bucket: path.bucket ?? "", pathName: path.name, query: target.query)
    return try await answer(call, path)?.selecting(call.parameter("fields"))
  }

  private func answer(
    _ call: StorageCall, _ path: CloudStoragePath
  ) async throws(StorageError) -> StorageAnswer? {
    switch path.resource {
    case .buckets: return try await answerBuckets(call)
    case .bucket: return try await answerBucket(call)
    case .objects:
      if path.isUpload || call.parameter("uploadType") != nil || call.parameter("upload_id") != nil
      {
        return try await answerUpload(call)
      }
      return try await answerObjects(call)
    case .object: return try await answerObject(call, isDownload: path.isDownload)
    case .copy(let target): return try await copy(call, to: target)
    case .rewrite(let target): return try await rewrite(call, to: target)
    case .move(let name): return try await move(call, to: name)
    case .compose: return try await compose(call)
    case .restore: return try await restore(call)
    case .objectAccess(let entity):
      let target = AccessTarget.object(try call.objectName(), generation: try call.generation())
      return try await answerAccess(call, target, entity)
    case .part(let kind, let rest): return try await answerPart(call, kind, rest)
    case .project(let project, let rest): return try await answerProject(call, project, rest)
    }
  }

  static func unknownMethod(_ call: StorageCall) -> StorageError {
    StorageError(.notFound, "There is no \(call.request.method) here.")
  }
}
