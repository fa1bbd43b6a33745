/// What must be true of the object that is there for a request to be carried out. Generation 0 means that there is none.
package struct Preconditions: Hashable, Sendable {
  package var generation: Int64?
  package var notGeneration: Int64?
  package var metageneration: Int64?
  package var notMetageneration: Int64?

  package init() {}

  /// - Throws: `.failedPrecondition`.
  package func check(_ object: Object?) throws(StorageError) {
    let current = object?.generation ?? 0
    let isMet =
      generation.map { $0 == current } ?? true && notGeneration.map { $0 != current } ?? true
      && metageneration.map { $0 == object?.metageneration } ?? true
      && notMetageneration.map { $0 != object?.metageneration } ?? true
    guard isMet else {
      throw Self.failure
    }
  }

  /// - Throws: `.failedPrecondition`. Only conditions on metagenerations mean anything.
  func check(_ bucket: Bucket) throws(StorageError) {
    guard metageneration.map({ $0 == bucket.metageneration }) ?? true,
      notMetageneration.map({ $0 != bucket.metageneration }) ?? true
    else { throw Self.failure }
  }

  private static let failure = StorageError(
    .failedPrecondition, "At least one of the pre-conditions you specified did not hold.")
}
