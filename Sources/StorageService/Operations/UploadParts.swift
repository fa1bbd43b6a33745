package import ObjectStorage

/// Uploads in numbered parts.
extension StorageOperations {
  /// Keeps a part, instead of one that had its number.
  ///
  /// - Throws: `.notFound`, `.invalidArgument`, what `source` throws.
  package func putPart(
    _ number: Int, of id: String, expected: ExpectedChecksums, from source: some ByteSource
  ) async throws(StorageError) -> UploadPart {
    try await store.putPart(number, of: id, expected: expected, from: source)
  }

  /// The parts that are here, by their numbers.
  ///
  /// - Throws: `.notFound`.
  package func listParts(of id: String) throws(StorageError) -> [UploadPart] {
    try store.parts(of: id)
  }

  /// Makes an object of parts one behind the other.
  ///
  /// - Throws: `.notFound`, `.failedPrecondition`.
  package func completeParts(
    _ parts: [UploadPart], of id: String
  ) async throws(StorageError) -> Object {
    try await store.completeParts(parts, of: id)
  }

  /// Ends an upload without an object.
  ///
  /// - Throws: `.notFound`.
  package func abortParts(of id: String) async throws(StorageError) {
    try await store.endParts(of: id)
  }
}
