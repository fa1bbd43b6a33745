internal import HTTPServer
internal import ObjectStorage
internal import StorageService

/// Uploads: in one request, or in several.
extension StorageHandler {
  func upload(_ call: StorageCall) async throws(StorageError) -> StorageAnswer {
    let fields = call.fields
    let uploadProtocol = fields.first("x-goog-upload-protocol")?.lowercased()
    if let command = fields.first("x-goog-upload-command") {
      return try await resume(call, UploadCommand(command))
    }
    if uploadProtocol == "resumable" {
      return try await resume(call, UploadCommand(isStart: true))
    }
    let object =
      uploadProtocol == "multipart"
      ? try await uploadMultipart(call) : try await uploadMedia(call)
    return StorageAnswer(object).adding("X-Goog-Upload-Status", "final")
  }

  /// The body is the content.
  private func uploadMedia(_ call: StorageCall) async throws(StorageError) -> Object {
    let description = try UploadMetadata().description(
      call, type: call.fields.first("content-type"))
    return try await operations.uploadObject(
      description, from: RequestBytes(body: call.exchange.body), by: call.requester)
  }

  /// The body has two parts: metadata and content.
  private func uploadMultipart(_ call: StorageCall) async throws(StorageError) -> Object {
    let parts = try await MultipartUpload(call, .firebase)
    return try await operations.uploadObject(
      parts.metadata.description(call, type: parts.contentType), from: parts.content,
      by: call.requester)
  }
}
