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
      description, from: RequestBytes(body: call.exchange.body))
  }

  /// The body has two parts: metadata and content.
  private func uploadMultipart(_ call: StorageCall) async throws(StorageError) -> Object {
    let type = call.fields.first("content-type") ?? ""
    guard let boundary = MultipartReader<RequestBytes>.boundary(of: type) else {
      throw StorageError(.invalidArgument, "Bad content type. \(type)")
    }
    var reader = MultipartReader(RequestBytes(body: call.exchange.body), boundary: boundary)
    guard try await reader.nextPart() != nil else { throw .partCount }
    var json: [UInt8] = []
    while let piece = try await reader.nextPiece() {
      json += piece
      guard json.count <= UploadMetadata.maximumSize else {
        throw StorageError(.invalidArgument, "The metadata is too long.")
      }
    }
    guard let contentType = try await reader.nextPart() else { throw .partCount }
    let description = try UploadMetadata(json: json).description(call, type: contentType)
    return try await operations.uploadObject(description, from: LastPart(reader: reader))
  }
}
