package import FirestoreModel

/// The documents that a query can find now or later: what a transaction that ran it has locked. Limits and cursors do not count.
package struct Predicate: Sendable {
  let source: Query.Source
  private let filter: Filter?
  /// Fields that a document must have.
  private let required: [FieldPath]

  init(source: Query.Source, filter: Filter? = nil, required: [FieldPath] = []) {
    self.source = source
    self.filter = filter
    self.required = required
  }

  package init(_ query: Query) {
    self.init(
      source: query.source, filter: query.filter,
      required: query.orders.map(\.path).filter { !$0.isDocumentName })
  }

  /// All documents below `parent`.
  package init(below parent: ParentName) {
    self.init(source: .descendants(of: parent.document))
  }

  /// The documents of a listing; if it shows missing ones, everything below its collection counts.
  package init(_ listing: DocumentListing) {
    let parent = listing.parent.document
    let source: Query.Source =
      if listing.showsMissing {
        .descendants(of: parent)
      } else if let id = listing.collectionID {
        .collection(CollectionPath(parent, id))
      } else {
        .collections(of: parent)
      }
    self.init(source: source)
  }

  /// Whether the change can change what the query finds.
  func matches(_ change: DocumentChange, in database: DatabaseName) -> Bool {
    guard source.contains(change.path) else { return false }
    return [change.before, change.after].contains { record in
      guard let record else { return false }
      let document = record.document(
        named: DocumentName(database: database, path: change.path))
      do throws(FirestoreError) {
        for path in required where try document.value(at: path) == nil { return false }
        return try filter?.matches(document) ?? true
      } catch {
        return true
      }
    }
  }
}

extension Query.Source {
  /// Whether the document at `path` lies in one of the collections.
  func contains(_ path: DocumentPath) -> Bool {
    let segments = path.segments
    switch self {
    case .collection(let collection): return segments.dropLast().elementsEqual(collection.segments)
    case .collections(let parent):
      let above = parent?.segments ?? []
      return segments.count == above.count + 2 && segments.starts(with: above)
    case .group(let id, let parent):
      return segments[segments.count - 2] == id && Self.isBelow(path, parent)
    case .descendants(let parent): return Self.isBelow(path, parent)
    }
  }

  private static func isBelow(_ path: DocumentPath, _ parent: DocumentPath?) -> Bool {
    guard let parent else { return true }
    return path.segments.count > parent.segments.count
      && path.segments.starts(with: parent.segments)
  }
}
