package import Coding

/// A query as a client states it: `google.firestore.v1.StructuredQuery`.
package struct StructuredQuery: Sendable {
  /// `StructuredQuery.CollectionSelector`; an empty id selects all collections.
  package struct CollectionSelector: Hashable, Sendable {
    package var collectionID: UTF8String
    package var allDescendants: Bool

    package init(collectionID: UTF8String, allDescendants: Bool = false) {
      self.collectionID = collectionID
      self.allDescendants = allDescendants
    }
  }

  package var from: [CollectionSelector]
  package var filter: Filter?
  package var orderBy: [Query.Order]
  package var startAt: Query.Cursor?
  package var endAt: Query.Cursor?
  package var offset: Int
  package var limit: Int?
  /// The fields that come back; empty for names only, `nil` for all.
  package var select: FieldMask?
  package var findNearest: FindNearest?

  package init(
    from: [CollectionSelector] = [], filter: Filter? = nil, orderBy: [Query.Order] = [],
    startAt: Query.Cursor? = nil, endAt: Query.Cursor? = nil, offset: Int = 0, limit: Int? = nil,
    select: FieldMask? = nil, findNearest: FindNearest? = nil
  ) {
    self.from = from
    self.filter = filter
    self.orderBy = orderBy
    self.startAt = startAt
    self.endAt = endAt
    self.offset = offset
    self.limit = limit
    self.select = select
    self.findNearest = findNearest
  }
}
