internal import Coding
package import ObjectStorage

extension StorageOperations {
  /// Changes the metadata of the current generation of an object, or of one that is named.
  ///
  /// - Throws: `.notFound`, `.failedPrecondition`, `.invalidArgument`, `.retained` for a shorter retention, which an unlocked one allows
  ///   with `overridesRetention`, `.permissionDenied`.
  package func updateObject(
    _ name: ObjectName, generation: Int64? = nil, _ changes: AttributeChanges,
    _ preconditions: Preconditions, overridesRetention: Bool = false,
    by requester: StorageRequester = StorageRequester(.administrator)
  ) async throws(StorageError) -> Object {
    let review = review(.update, of: name, by: requester)
    return try await store.update(name, generation: generation, preconditions, review: review) {
      object throws(StorageError) in
      let before = object.attributes
      try object.attributes.apply(changes)
      try object.attributes.check(after: before, overridesRetention)
      if let tokens = changes.tokens { object.tokens = tokens }
      return true
    }
  }
}

extension ObjectAttributes {
  fileprivate func check(
    after before: ObjectAttributes, _ overridesRetention: Bool
  ) throws(StorageError) {
    if let old = before.customTime.flatMap({ Timestamp(rfc3339: $0) }) {
      guard let new = customTime.flatMap({ Timestamp(rfc3339: $0) }), new >= old else {
        throw StorageError(.invalidArgument, "Custom time can be moved forward only.")
      }
    }
    guard let end = before.retainedUntil, retainedUntil ?? 0 < end else { return }
    let isLocked = before.settings["retention"]?["mode"] == .string("Locked")
    guard !isLocked, overridesRetention else {
      throw StorageError(.retained, "The retention of an object cannot be made shorter.")
    }
  }
}
