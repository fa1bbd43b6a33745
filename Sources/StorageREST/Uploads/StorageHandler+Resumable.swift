internal import Coding
internal import HTTPServer
internal import ObjectStorage
internal import StorageService

/// Resumable uploads: a start, then commands that name it by `upload_id`.
extension StorageHandler {
  private static let granularity = 256 << 10

  func resume(
    _ call: StorageCall, _ command: UploadCommand
  ) async throws(StorageError) -> StorageAnswer {
    if command.isStart { return try await start(call, command) }
    guard let id = call.parameter("upload_id") else {
      throw StorageError(.invalidArgument, "The upload_id is missing.")
    }
    if command.isQuery { return answer(query: try await operations.queryUpload(id)) }
    if command.isCancel { return answer(try await operations.cancelUpload(id)) }
    guard command.isUpload || command.isFinalize else {
      throw StorageError(.invalidArgument, "Invalid X-Goog-Upload-Command.")
    }
    return try await proceed(call, command, id)
  }

  private func proceed(
    _ call: StorageCall, _ command: UploadCommand, _ id: String
  ) async throws(StorageError) -> StorageAnswer {
    // What is no number is no place where the upload could go on.
    let offset = call.fields.first("x-goog-upload-offset").map { Int64($0) ?? .max }
    do throws(StorageError) {
      return answer(
        try await operations.continueUpload(
          id, at: offset, isLast: command.isFinalize, expected: call.checksums,
          from: RequestBytes(body: call.exchange.body)))
    } catch {
      guard error.code != .notFound, error.code != .internalError else { throw error }
      // The upload goes on, and clients have to be told.
      var answer = StorageAnswer(error)
      answer.fields += Self.fields(try await operations.queryUpload(id))
      return answer
    }
  }

  /// The body is metadata, or nothing; if bytes are to follow at once, it is those.
  private func start(
    _ call: StorageCall, _ command: UploadCommand
  ) async throws(StorageError) -> StorageAnswer {
    let fields = call.fields
    let bringsBytes = command.isUpload || command.isFinalize
    let metadata =
      bringsBytes ? UploadMetadata() : try await call.exchange.body.collectMetadata()
    let type =
      fields.first("x-goog-upload-header-content-type")
      ?? fields.first("x-goog-upload-content-type")
    let size =
      fields.first("x-goog-upload-header-content-length")
      ?? fields.first("x-goog-upload-content-length")
    let description = try metadata.description(call, type: type)
    let id = try await operations.startUpload(
      description, announcedSize: size.flatMap { Int64($0) }, by: call.requester)
    let bucket = PercentCoding.encode(call.bucket.string)
    let name = PercentCoding.encode(description.name.name.string)
    let url =
      "\(call.origin)/v0/b/\(bucket)/o?name=\(name)&upload_id=\(id)&upload_protocol=resumable"
    var answer = StorageAnswer(status: 200)
    if bringsBytes { answer = try await proceed(call, command, id) }
    answer.fields += [
      ("X-Goog-Upload-URL", url.fieldValue), ("X-Goog-Upload-Control-URL", url.fieldValue),
      ("X-Goog-Upload-Chunk-Granularity", String(Self.granularity)),
      ("X-GUploader-UploadID", id), ("X-GUpload-UploadID", id),
    ]
    return bringsBytes ? answer : answer.adding("X-Goog-Upload-Status", "active")
  }

  // MARK: Answers

  private func answer(_ answer: UploadAnswer) -> StorageAnswer {
    switch answer {
    case .ok(.refused(let error)):
      return StorageAnswer(error).adding("X-Goog-Upload-Status", "final")
    case .ok(let status): return self.answer(query: status)
    case .refused(let status):
      let error = StorageError(
        .invalidArgument, "The command makes no sense in the state of the upload.")
      var answer = StorageAnswer(error)
      answer.fields += Self.fields(status)
      return answer
    }
  }

  private func answer(query status: UploadStatus) -> StorageAnswer {
    var answer = StorageAnswer(status: 200)
    switch status {
    case .committed(let object): answer = StorageAnswer(object)
    case .active, .refused, .cancelled: break
    }
    answer.fields += Self.fields(status)
    return answer
  }

  /// What every answer about an upload says of it.
  static func fields(_ status: UploadStatus) -> [(name: String, value: String)] {
    let (word, size): (String, Int64?) =
      switch status {
      case .active(let received): ("active", received)
      case .committed(let object): ("final", object.size)
      case .refused: ("final", nil)
      case .cancelled(let received): ("cancelled", received)
      }
    return [("X-Goog-Upload-Status", word)]
      + (size.map { [("X-Goog-Upload-Size-Received", String($0))] } ?? [])
  }
}
