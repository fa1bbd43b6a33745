/// What must be true of the object that is there for a request to be carried out. Generation 0 means that there is none.
package struct Preconditions: Hashable, Sendable {
  package var generation: Int64?
  package var notGeneration: Int64?
  package var metageneration: Int64?
  package var notMetageneration: Int64?

  package init() {}

  /// - Throws: `.failedPrecondition`.
  func check(_ object: Object?) throws(StorageError) {
    let current = object?.generation ?? 0
    let isMet =
      generation.map { $0 == current } ?? true && notGeneration.map { $0 != current } ?? true
      && metageneration.map { $0 == object?.metageneration } ?? true
      && notMetageneration.map { $0 != object?.metageneration } ?? true
    guard isMet else {
      throw StorageError(.failedPrecondition, "At least one of the pre-conditions did not hold.")
    }
  }
}
