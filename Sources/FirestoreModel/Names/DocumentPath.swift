package import Coding

/// The path of a document below `documents`: collection and document ids in turn, at least one of each.
package struct DocumentPath: Hashable, Sendable {
  /// An even number of ids, not empty.
  package let segments: [UTF8String]

  /// `segments` must be an even number of valid ids; text from outside goes through `DocumentName(parsing:)`.
  package init(segments: [UTF8String]) {
    precondition(!segments.isEmpty && segments.count % 2 == 0, "odd path of \(segments.count) ids")
    self.segments = segments
  }

  /// The document `id` of `collection`.
  package init(_ collection: CollectionPath, _ id: UTF8String) {
    self.segments = collection.segments + [id]
  }

  package var id: UTF8String { segments[segments.count - 1] }

  package var collection: CollectionPath {
    CollectionPath(segments: Array(segments.dropLast()))
  }
}

/// The path of a collection below `documents`: an odd number of ids.
package struct CollectionPath: Hashable, Sendable {
  package let segments: [UTF8String]

  package init(segments: [UTF8String]) {
    precondition(segments.count % 2 == 1, "even path of \(segments.count) ids")
    self.segments = segments
  }

  /// The collection `id` below `parent`, or at the root.
  package init(_ parent: DocumentPath?, _ id: UTF8String) {
    self.segments = (parent?.segments ?? []) + [id]
  }

  package var id: UTF8String { segments[segments.count - 1] }

  /// The document that holds the collection; `nil` at the root.
  package var parent: DocumentPath? {
    segments.count == 1 ? nil : DocumentPath(segments: Array(segments.dropLast()))
  }
}
