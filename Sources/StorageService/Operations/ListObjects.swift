internal import Coding
package import ObjectStorage

extension StorageOperations {
  /// One page of the names of a bucket, as Firebase shows them.
  ///
  /// - Throws: `.invalidArgument`.
  package func listObjects(_ request: ListRequest) async throws(StorageError) -> ObjectListing {
    guard request.prefix.isEmpty || request.prefix.utf8.last == UInt8(ascii: "/") else {
      throw StorageError(
        .invalidArgument,
        "The prefix parameter is required to be empty or ends with a single / character.")
    }
    var request = request
    request.hidesEmptySegments = true
    return try await store.list(request)
  }
}
