package import ObjectStorage

/// What the sender of an upload says about it.
package struct UploadDescription: Hashable, Sendable {
  package var name: ObjectName
  package var changes: AttributeChanges
  package var expected: ExpectedChecksums
  package var preconditions = Preconditions()

  package init(
    name: ObjectName, changes: AttributeChanges, expected: ExpectedChecksums = ExpectedChecksums()
  ) {
    self.name = name
    self.changes = changes
    self.expected = expected
  }
}

extension StorageOperations {
  /// Makes an object of the bytes of `source`.
  ///
  /// - Throws: `.invalidArgument`, `.permissionDenied`, `.failedPrecondition`, what `source` throws.
  package func uploadObject(
    _ description: UploadDescription, from source: some ByteSource, by requester: StorageRequester
  ) async throws(StorageError) -> Object {
    let review = review(.create, of: description.name, by: requester)
    return try await store.upload(try request(description), from: source, review: review)
  }

  /// What Firebase makes of a description: it shows files in the page, and each has a download token.
  func request(_ description: UploadDescription) throws(StorageError) -> UploadRequest {
    var attributes = ObjectAttributes()
    attributes.contentDisposition = "inline"
    try attributes.apply(description.changes)
    var request = UploadRequest(
      name: description.name, attributes: attributes,
      tokens: description.changes.tokens ?? [makeToken()], expected: description.expected)
    request.preconditions = description.preconditions
    return request
  }
}
