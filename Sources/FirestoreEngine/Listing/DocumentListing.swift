package import Coding
package import FirestoreModel

/// Which documents are listed, and how.
package struct DocumentListing: Sendable {
  /// Where a page ended.
  package enum Position: Hashable, Sendable {
    /// Behind this name.
    case name(DocumentPath)
    /// Behind these values, in the order that a listing by fields makes of them.
    case values([UInt8])
  }

  package enum Entry: Sendable {
    case document(Document)
    /// With the time of its deletion, if it existed and history has it.
    case missing(DocumentName, deleteTime: Timestamp?)

    package var name: DocumentName {
      switch self {
      case .document(let document): document.name
      case .missing(let name, _): name
      }
    }
  }

  package struct Page: Sendable {
    package let entries: [Entry]
    /// Where the next page begins; `nil` on a page that is not full. A full one may be the last all the same.
    package let end: Position?
  }

  package var parent: ParentName
  /// `nil`: of all collections directly below the parent.
  package var collectionID: UTF8String?
  package var orders: [ListOrder]
  /// Whether ids that have only documents below them are listed; for one collection in the order of names.
  package var showsMissing: Bool

  package init(
    parent: ParentName, collectionID: UTF8String?, orders: [ListOrder] = [],
    showsMissing: Bool = false
  ) {
    self.parent = parent
    self.collectionID = collectionID
    self.orders = orders
    self.showsMissing = showsMissing
  }

  var database: DatabaseName { parent.database }

  /// The direction of a listing by name alone; `nil` if fields come first.
  var nameIsDescending: Bool? {
    guard let first = orders.first else { return false }
    return first.path.isDocumentName ? first.isDescending : nil
  }

  /// Bytes that sort as the documents of this listing do; `nil` for a document that lacks one of the fields.
  func sortKey(of document: Document) throws(FirestoreError) -> [UInt8]? {
    var key: [UInt8] = []
    var isDescending = false
    for order in orders where !order.path.isDocumentName {
      guard let value = try document.fields.value(at: order.path) else { return nil }
      isDescending = order.isDescending
      Self.append(ValueKey.encode(value), to: &key, isDescending)
    }
    if let last = orders.last, last.path.isDocumentName { isDescending = last.isDescending }
    Self.append(NameKey.document(document.name.path), to: &key, isDescending)
    return key
  }

  private static func append(_ part: [UInt8], to key: inout [UInt8], _ isDescending: Bool) {
    key.append(contentsOf: isDescending ? part.map { ~$0 } : part)
  }
}
