internal import Coding
internal import HTTPServer
internal import ObjectStorage
internal import StorageService

/// Uploads: in one request, or in several that name a session by `upload_id` and say with `Content-Range` where their bytes belong.
extension CloudStorageHandler {
  func answerUpload(_ call: StorageCall) async throws(StorageError) -> StorageAnswer {
    if let command = call.fields.first("x-goog-upload-command") {
      return try await obey(UploadCommand(command), call)
    }
    if let id = call.parameter("upload_id") { return try await proceed(call, id) }
    guard ["POST", "PUT"].contains(call.request.method) else { throw Self.unknownMethod(call) }
    try await operations.ensureUploadBucket(call.bucket)
    let type = call.fields.first("content-type") ?? ""
    switch call.parameter("uploadType") {
    case "resumable": return try await start(call)
    case "multipart": return try await insertMultipart(call)
    case nil where type.lowercased().hasPrefix("multipart/related"):
      return try await insertMultipart(call)
    case nil, "media": return try await insertMedia(call, type: type)
    case .some:
      throw StorageError(.invalidArgument, "Invalid value for uploadType.")
    }
  }

  private func insertMedia(
    _ call: StorageCall, type: String
  ) async throws(StorageError) -> StorageAnswer {
    var description = try UploadMetadata().description(call, type: type)
    if let coding = call.parameter("contentEncoding") ?? call.fields.first("content-encoding") {
      description.changes.contentEncoding = .set(coding)
    }
    try complete(&description.changes, call)
    return try answer(
      try await operations.insertObject(
        description, from: RequestBytes(body: call.exchange.body)), call)
  }

  private func insertMultipart(_ call: StorageCall) async throws(StorageError) -> StorageAnswer {
    let parts = try await MultipartUpload(call, .cloudStorage)
    let description = try description(call, parts.metadata, type: parts.contentType)
    return try answer(
      try await operations.insertObject(description, from: parts.content), call)
  }

  private func description(
    _ call: StorageCall, _ metadata: UploadMetadata, type: String?
  ) throws(StorageError) -> UploadDescription {
    if let name = call.parameter("name"), let other = metadata.name,
      !name.utf8.elementsEqual(other.utf8)
    {
      throw StorageError(
        .invalidArgument, "Value '\(name)' in the query is another than '\(other)'.")
    }
    var description = try metadata.description(call, type: type)
    if let coding = call.parameter("contentEncoding") {
      description.changes.contentEncoding = .set(coding)
    }
    try complete(&description.changes, call)
    return description
  }

  private func complete(
    _ changes: inout AttributeChanges, _ call: StorageCall
  ) throws(StorageError) {
    try call.complete(&changes, in: try operations.getBucket(call.bucket))
  }

  // MARK: Sessions

  /// The commands of Firebase's clients, which some of Cloud Storage give as well.
  private func obey(
    _ command: UploadCommand, _ call: StorageCall
  ) async throws(StorageError) -> StorageAnswer {
    guard let id = call.parameter("upload_id") else {
      try await operations.ensureUploadBucket(call.bucket)
      let answer = try await start(call)
      let url = answer.fields.first { $0.name == "Location" }?.value ?? ""
      return answer.adding("X-Goog-Upload-URL", url).adding("X-Goog-Upload-Status", "active")
    }
    if command.isCancel { _ = try await operations.cancelUpload(id) }
    if command.isUpload || command.isFinalize {
      // What is no number is no place where the upload could go on.
      let offset = call.fields.first("x-goog-upload-offset").map { Int64($0) ?? .max }
      _ = try await operations.continueUpload(
        id, at: offset, isLast: command.isFinalize, expected: call.checksums,
        from: RequestBytes(body: call.exchange.body))
    }
    let status = try await operations.queryUpload(id)
    var answer = try answer(call, status: status) ?? StorageAnswer(status: 200)
    answer.fields += StorageHandler.fields(status)
    return answer
  }

  private func start(_ call: StorageCall) async throws(StorageError) -> StorageAnswer {
    let metadata = try await call.exchange.body.collectMetadata(.cloudStorage)
    let description = try description(
      call, metadata, type: call.fields.first("x-upload-content-type"))
    let size = call.fields.first("x-upload-content-length").flatMap { Int64($0) }
    let id = try await operations.startInsertion(description, announcedSize: size)
    let url = call.uploadURL(id, description.name)
    return StorageAnswer(status: 200).adding("Location", url.fieldValue)
      .adding("X-GUploader-UploadID", id)
  }

  private func proceed(
    _ call: StorageCall, _ id: String
  ) async throws(StorageError) -> StorageAnswer {
    switch call.request.method {
    case "PUT", "POST": break
    case "DELETE":
      if case .cancelled = try await operations.queryUpload(id) { throw .noSession }
      return answer(cancelled: try await operations.cancelUpload(id))
    default: throw Self.unknownMethod(call)
    }
    guard let range = ContentRange(call.fields.first("content-range")) else {
      throw StorageError(.invalidArgument, "Failed to parse Content-Range header.")
    }
    if range.isQuery {
      guard try await call.isBodyEmpty() else {
        throw StorageError(
          .invalidArgument, "Client sent query request with a non-empty body.")
      }
    } else {
      let answer = try await operations.continueUpload(
        id, at: range.start, isLast: false, from: RequestBytes(body: call.exchange.body))
      // What is not the next of it changes nothing.
      if case .refused = answer { return try incomplete(call, answer.status) }
    }
    guard case .active(let received) = try await operations.queryUpload(id),
      range.isComplete(with: received)
    else { return try incomplete(call, try await operations.queryUpload(id)) }
    let answer = try await operations.continueUpload(
      id, at: nil, isLast: true, expected: call.checksums, from: NoBytes())
    return try incomplete(call, answer.status)
  }

  /// The answer to a session that has ended; `nil` if it has not.
  private func answer(
    _ call: StorageCall, status: UploadStatus
  ) throws(StorageError) -> StorageAnswer? {
    switch status {
    case .active: nil
    case .committed(let object): try answer(object, call)
    case .refused(let error): StorageAnswer(cloudStorage: error)
    case .cancelled: StorageAnswer(status: 499)
    }
  }

  private func answer(cancelled answer: UploadAnswer) -> StorageAnswer {
    switch answer {
    case .ok: StorageAnswer(status: 499)
    case .refused: StorageAnswer(cloudStorage: .noSession)
    }
  }

  /// What is here so far, without a `Location`, which clients would follow.
  private func incomplete(
    _ call: StorageCall, _ status: UploadStatus
  ) throws(StorageError) -> StorageAnswer {
    if let answer = try answer(call, status: status) { return answer }
    var answer = StorageAnswer(status: 308)
    if call.fields.first("x-guploader-no-308") == "yes" {
      answer = StorageAnswer(status: 200).adding("X-HTTP-Status-Code-Override", "308")
    }
    guard case .active(let received) = status, received > 0 else { return answer }
    return answer.adding("Range", "bytes=0-\(received - 1)")
  }
}

extension StorageError {
  fileprivate static let noSession = StorageError(.notFound, "There is no such upload.")
}

extension UploadAnswer {
  fileprivate var status: UploadStatus {
    switch self {
    case .ok(let status), .refused(let status): status
    }
  }
}

/// No bytes at all.
private struct NoBytes: ByteSource {
  func next() async throws(StorageError) -> [UInt8]? { nil }
}

extension StorageCall {
  /// Where an upload goes on.
  func uploadURL(_ id: String, _ name: ObjectName) -> String {
    let bucket = PercentCoding.encode(name.bucket.string)
    let object = PercentCoding.encode(name.name.string)
    return
      "\(origin)/upload/storage/v1/b/\(bucket)/o?uploadType=resumable&name=\(object)&upload_id=\(id)"
  }

  fileprivate func isBodyEmpty() async throws(StorageError) -> Bool {
    try await RequestBytes(body: exchange.body).next() == nil
  }
}
