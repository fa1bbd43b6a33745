package import Coding
package import ObjectStorage

extension StorageOperations {
  /// Makes a bucket if it is missing: clients of Firebase never do so themselves.
  ///
  /// - Throws: `.invalidArgument`.
  package func ensureBucket(_ bucket: UTF8String) async throws(StorageError) {
    try await store.ensureBucket(bucket)
  }
}
