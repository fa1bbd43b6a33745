internal import HTTPServer
internal import ObjectStorage

/// The body of a request as bytes of an upload, whatever its content type says.
struct RequestBytes: ByteSource {
  let body: any HTTPRequestBody

  func next() async throws(StorageError) -> [UInt8]? {
    do throws(HTTPStreamError) {
      return try await body.next()
    } catch {
      throw StorageError(.interrupted, "The body did not arrive whole.")
    }
  }
}

extension HTTPRequestBody {
  /// The whole body of a request that brings metadata.
  func collectMetadata(
    _ form: UploadMetadata.Form = .firebase
  ) async throws(StorageError) -> UploadMetadata {
    try UploadMetadata(json: await collectJSON(), form)
  }

  /// The whole body of a request that brings JSON.
  func collectJSON() async throws(StorageError) -> [UInt8] {
    do throws(HTTPStreamError) {
      return try await collect(upTo: UploadMetadata.maximumSize)
    } catch {
      throw StorageError(
        error.code == .tooLarge ? .invalidArgument : .interrupted,
        "The metadata is too long or did not arrive whole.")
    }
  }
}
