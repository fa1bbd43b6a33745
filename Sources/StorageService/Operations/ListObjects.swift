internal import Coding
package import ObjectStorage

extension StorageOperations {
  /// One page of the names of a bucket, as Firebase shows them.
  ///
  /// - Throws: `.invalidArgument`, `.permissionDenied`.
  package func listObjects(
    _ request: ListRequest, by requester: StorageRequester
  ) async throws(StorageError) -> ObjectListing {
    guard request.prefix.isEmpty || request.prefix.utf8.last == UInt8(ascii: "/") else {
      throw StorageError(
        .invalidArgument,
        "The prefix parameter is required to be empty or ends with a single / character.")
    }
    try authorizeList(of: request.bucket, request.prefix, by: requester)
    var request = request
    request.hidesEmptySegments = true
    return try await store.list(request)
  }
}
