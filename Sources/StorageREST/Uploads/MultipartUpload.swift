internal import HTTPServer
internal import ObjectStorage

/// A body of two parts: metadata, which are read, and content, which is not yet.
struct MultipartUpload {
  let metadata: UploadMetadata
  /// That of the second part.
  let contentType: String
  let content: LastPart<RequestBytes>

  /// - Throws: `.invalidArgument` for other parts or metadata.
  init(_ call: StorageCall, _ form: UploadMetadata.Form) async throws(StorageError) {
    let type = call.fields.first("content-type") ?? ""
    guard let boundary = MultipartReader<RequestBytes>.boundary(of: type) else {
      throw StorageError(.invalidArgument, "Bad content type. \(type)")
    }
    var reader = MultipartReader(RequestBytes(body: call.exchange.body), boundary: boundary)
    guard let first = try await reader.nextPart() else { throw .partCount }
    guard first.type != nil else { throw .partHead }
    var json: [UInt8] = []
    while let piece = try await reader.nextPiece() {
      json += piece
      guard json.count <= UploadMetadata.maximumSize else {
        throw StorageError(.invalidArgument, "The metadata is too long.")
      }
    }
    guard let head = try await reader.nextPart() else { throw .partCount }
    guard let type = head.type else { throw .partHead }
    metadata = try UploadMetadata(json: json, form)
    contentType = type
    content = LastPart(reader: reader)
  }
}
