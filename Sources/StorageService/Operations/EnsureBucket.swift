package import Coding
package import ObjectStorage

extension StorageOperations {
  /// Makes a bucket if it is missing: clients of Firebase never do so themselves.
  ///
  /// - Throws: `.invalidArgument`.
  package func ensureBucket(_ bucket: UTF8String) async throws(StorageError) {
    try await store.ensureBucket(bucket)
  }

  /// The same for an upload of Cloud Storage, which makes none in every style.
  ///
  /// - Throws: `.invalidArgument`, `.notFound`.
  package func ensureUploadBucket(_ bucket: UTF8String) async throws(StorageError) {
    switch style {
    case .firebase: try await store.ensureBucket(bucket)
    case .fakeGCSServer: _ = try getBucket(bucket)
    }
  }
}
