package import Coding
package import FirestoreModel

/// What ListDocuments is asked for.
package struct ListDocumentsRequest: Sendable {
  package var parent: ParentName
  /// Empty: the documents of all collections directly below `parent`.
  package var collectionID: UTF8String
  /// 0: as many as the server likes.
  package var pageSize: Int
  /// Empty, or the token of the page before.
  package var pageToken: String
  /// As in SQL, `priority desc, __name__ desc`; empty for the order of names.
  package var orderBy: String
  /// An empty mask asks for names and times only.
  package var mask: FieldMask?
  /// Whether ids without a document, but with documents below, are listed too.
  package var showMissing: Bool
  package var consistency: ReadConsistency

  package init(
    parent: ParentName, collectionID: UTF8String, pageSize: Int = 0, pageToken: String = "",
    orderBy: String = "", mask: FieldMask? = nil, showMissing: Bool = false,
    consistency: ReadConsistency = .latest
  ) {
    self.parent = parent
    self.collectionID = collectionID
    self.pageSize = pageSize
    self.pageToken = pageToken
    self.orderBy = orderBy
    self.mask = mask
    self.showMissing = showMissing
    self.consistency = consistency
  }
}

/// What ListDocuments answers.
package struct ListDocumentsAnswer: Sendable {
  package enum Entry: Sendable {
    case document(Document)
    /// An id without a document that has documents below it: its name, and when it was deleted if that is known.
    case missing(DocumentName, deleteTime: Timestamp?)
  }

  package var entries: [Entry]
  /// Empty on a page that is not full; nothing may follow a full one.
  package var nextPageToken: String

  package init(entries: [Entry], nextPageToken: String) {
    self.entries = entries
    self.nextPageToken = nextPageToken
  }
}
