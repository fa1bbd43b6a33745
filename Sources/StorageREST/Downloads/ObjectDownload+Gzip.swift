internal import Compression
internal import HTTPServer
internal import ObjectStorage
internal import StorageService

/// Downloads of objects that are stored as gzip, to clients that take none: they get what the bytes stand for.
extension ObjectDownload {
  enum Decompression {
    /// The answer was sent, or its connection is broken off.
    case sent
    /// The bytes are not what the object says: they go out as they are.
    case noGzip
    /// The object was replaced or deleted meanwhile.
    case gone
  }

  func sendDecompressed(
    _ object: Object
  ) async throws(StorageError) -> Decompression {
    let first = Int(min(Int64(BlobContent.pieceSize), object.size))
    guard let content = try await operations.openObject(object, at: 0, count: first) else {
      return .gone
    }
    var inflater = GzipInflater()
    inflater.append(try await content.read(first, at: 0))
    var offset = Int64(first)
    var piece: [UInt8]?
    do {
      piece = try inflater.next()
      if piece == nil, offset == object.size { try inflater.finish() }
    } catch {
      return .noGzip
    }
    // Whatever fails from here on ends the connection, so that nobody takes what came for the whole.
    do {
      let response = call.exchange.response
      var answer = StorageAnswer(status: 200)
      answer.fields = decompressedFields(of: object)
      try await response.send(answer.head(call.request.version))
      if call.request.method != "HEAD" {
        while true {
          if let bytes = piece {
            try await response.write(bytes)
          } else {
            let count = min(Int64(BlobContent.pieceSize), object.size - offset)
            guard count > 0 else { break }
            inflater.append(try await content.read(Int(count), at: offset))
            offset += count
          }
          piece = try inflater.next()
        }
        try inflater.finish()
      }
      try await response.finish(HTTPFields())
    } catch {}
    return .sent
  }
}

extension Object {
  /// Whether a client that sends `fields` is to get what the bytes stand for.
  func isToBeDecompressed(for fields: HTTPFields) -> Bool {
    attributes.contentEncoding == "gzip" && size > 0
      && !AcceptedCodings.allowGzip(fields.all("accept-encoding"))
      && !(attributes.cacheControl ?? "").split(separator: ",").contains {
        $0.trimmed.lowercased() == "no-transform"
      }
  }
}

extension ObjectDownload {
  /// What such a download says about the object. Its size is not known, and hashes are those of the stored bytes.
  private func decompressedFields(of object: Object) -> [(name: String, value: String)] {
    fields(of: object).filter { $0.name != "Content-Encoding" && $0.name != "Accept-Ranges" } + [
      ("Accept-Ranges", "none"), ("Warning", "214 UploadServer gunzipped"),
      ("X-GUploader-Response-Body-Transformations", "gunzipped"),
    ]
  }
}
