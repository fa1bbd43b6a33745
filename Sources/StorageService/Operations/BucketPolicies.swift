package import Coding
package import ObjectStorage

/// Policies of buckets, which are kept and answered: everybody may do everything.
extension StorageOperations {
  /// - Throws: `.notFound`.
  package func policy(of bucket: UTF8String) throws(StorageError) -> [UTF8String: JSONValue] {
    Self.policy(try getBucket(bucket).settings)
  }

  /// Replaces a policy.
  ///
  /// - Throws: `.notFound`, `.failedPrecondition` if the one that is there is another than the client saw, or conditions are not allowed,
  ///   `.invalidArgument` for conditions in a policy of an old version.
  package func setPolicy(
    _ policy: [UTF8String: JSONValue], of bucket: UTF8String
  ) async throws(StorageError) -> [UTF8String: JSONValue] {
    let hasConditions =
      policy["bindings"]?.elements?.contains { $0["condition"] != nil } ?? false
    if hasConditions {
      guard try getBucket(bucket).hasUniformAccess else {
        throw StorageError(
          .failedPrecondition,
          "To use IAM Conditions, enable uniform bucket-level access on this bucket.")
      }
      guard policy["version"]?.integer ?? 0 >= 3 else {
        throw StorageError(
          .invalidArgument, "Policy version must be set to at least 3 to have conditions.")
      }
    }
    return Self.policy(
      try await store.updateBucket(bucket, Preconditions()) { settings throws(StorageError) in
        let before = Self.policy(settings)
        if let etag = policy["etag"]?.text, !etag.isEmpty, .string(etag) != before["etag"] {
          throw StorageError(
            .failedPrecondition, "The policy has changed since it was read.")
        }
        var next = before
        next["bindings"] = policy["bindings"] ?? .array([])
        next["version"] = policy["version"] ?? .number("1")
        next["etag"] = .string(Self.nextMark(before["etag"]?.text))
        settings[BucketSettings.policy] = .object(next)
      }.settings)
  }

  private static func policy(_ settings: [UTF8String: JSONValue]) -> [UTF8String: JSONValue] {
    if let policy = settings[BucketSettings.policy]?.members { return policy }
    func binding(_ role: String, _ members: [String]) -> JSONValue {
      .object([
        "role": .string("roles/storage.\(role)"),
        "members": .array(members.map { .string($0 + AccessEntry.projectNumber) }),
      ])
    }
    return [
      "version": .number("1"), "etag": .string(nextMark(nil)),
      "bindings": .array([
        binding("legacyBucketOwner", ["projectEditor:", "projectOwner:"]),
        binding("legacyBucketReader", ["projectViewer:"]),
      ]),
    ]
  }

  /// Base64 of `08 varint(number)`, of the number behind that of another.
  private static func nextMark(_ mark: String?) -> String {
    var number: Int64 = 0
    if let bytes = mark.flatMap({ Base64.decode($0) }) {
      var reader = ProtobufReader(bytes.span)
      if (try? reader.nextTag()) != nil { number = (try? reader.readInt64()) ?? 0 }
    }
    var writer = ProtobufWriter()
    writer.writeInt64(1, number &+ 1)
    return Base64.encode(writer.bytes)
  }
}
