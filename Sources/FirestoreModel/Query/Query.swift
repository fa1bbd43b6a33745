package import Coding

/// A query that was checked and brought into its normal form: all orders are there, the name last.
package struct Query: Hashable, Sendable {
  /// Where the documents are.
  package enum Source: Hashable, Sendable {
    /// In one collection.
    case collection(CollectionPath)
    /// In all collections directly below a document or the root.
    case collections(of: DocumentPath?)
    /// In all collections of one id at any depth below a document or the root.
    case group(UTF8String, below: DocumentPath?)
    /// Everything below a document or the root.
    case descendants(of: DocumentPath?)
  }

  package enum Direction: Hashable, Sendable {
    case ascending
    case descending
  }

  package struct Order: Hashable, Sendable {
    package var path: FieldPath
    package var direction: Direction

    package init(_ path: FieldPath, _ direction: Direction = .ascending) {
      self.path = path
      self.direction = direction
    }
  }

  /// A position in the order: before, or behind, all documents that begin with `values`.
  package struct Cursor: Hashable, Sendable {
    package var values: [Value]
    package var isBefore: Bool

    package init(values: [Value], isBefore: Bool) {
      self.values = values
      self.isBefore = isBefore
    }
  }

  package let database: DatabaseName
  package let source: Source
  package let filter: Filter?
  /// What the client asked for.
  package let explicitOrders: [Order]
  /// All orders; the last one is that of the name.
  package private(set) var orders: [Order]
  package let start: Cursor?
  package let end: Cursor?
  package let offset: Int
  package let limit: Int?
  package let projection: FieldMask?
  /// Takes the place of the orders if it is there.
  package let nearest: FindNearest?

  /// Checks a query and completes its orders.
  ///
  /// - Throws: `INVALID_ARGUMENT`, and `FAILED_PRECONDITION` for what no index could serve.
  package init(_ query: StructuredQuery, parent: ParentName) throws(FirestoreError) {
    self.database = parent.database
    self.source = try Self.source(query.from, parent.document)
    try query.checkNumbers()
    try query.filter?.check(in: parent.database)
    self.filter = query.filter
    self.explicitOrders = query.orderBy
    self.orders = try Self.orders(query.orderBy, query.filter)
    self.start = query.startAt
    self.end = query.endAt
    self.offset = query.offset
    self.limit = query.limit
    self.projection = query.select
    self.nearest = query.findNearest
    try checkNearest()
    try checkSize(hasAncestor: parent.document != nil)
    try checkSource()
    try start.map { cursor throws(FirestoreError) in try check(cursor) }
    try end.map { cursor throws(FirestoreError) in try check(cursor) }
  }

  /// Orders by `fields` too, in the direction of the name.
  mutating func insertBeforeName(_ fields: [FieldPath]) {
    guard let name = orders.last else { return }
    orders.insert(
      contentsOf: fields.map { Order($0, name.direction) }, at: orders.count - 1)
  }

  /// What the query was asked of: the root or a document.
  package var parent: ParentName {
    let document =
      switch source {
      case .collection(let path): path.parent
      case .collections(let document), .group(_, let document), .descendants(let document):
        document
      }
    return ParentName(database: database, document: document)
  }

  /// Whether the order is that of names alone.
  package var isInNameOrder: Bool { orders.count == 1 && nearest == nil }

  /// The direction of the names, which is that of the last order.
  package var nameDirection: Direction { orders.last?.direction ?? .ascending }

  /// The place of `document` in the order; `nil` if a field that the order needs is missing.
  ///
  /// - Throws: `DATA_LOSS` if the document can't be read.
  package func sortKey(of document: Document) throws(FirestoreError) -> SortKey? {
    var key = SortKey()
    for order in orders {
      if order.path.isDocumentName {
        key.append(document.name.path, order.direction)
      } else {
        guard let value = try document.fields.value(at: order.path) else { return nil }
        key.append(value, order.direction)
      }
    }
    return key
  }

  /// The place of the first document that `start` lets through; `nil` without one.
  package var lowerBound: SortKey? {
    start.map { bound($0) }
  }

  /// The place behind the last document that `end` lets through; `nil` without one.
  package var upperBound: SortKey? {
    end.map { bound($0) }
  }

  private func bound(_ cursor: Cursor) -> SortKey {
    var key = SortKey()
    for (value, order) in zip(cursor.values, orders) {
      if order.path.isDocumentName, case .reference(let name) = value {
        key.append(name.path, order.direction)
      } else {
        key.append(value, order.direction)
      }
    }
    return cursor.isBefore ? key : key.end
  }

  /// What a client gets of a document that was found.
  ///
  /// - Throws: `DATA_LOSS` if it can't be read.
  package func projected(_ document: Document) throws(FirestoreError) -> Document {
    guard let projection else { return document }
    var document = document
    document.fields = StoredFields(try document.fields.decoded().projected(to: projection))
    return document
  }
}

/// A place in the order of a query, as bytes that sort as the documents do.
///
/// The parts are `ValueKey`s and at the end a `NameKey` with a zero byte; those of descending orders have all bits turned.
package struct SortKey: Hashable, Comparable, Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Of a long value only the beginning counts.
  package mutating func append(_ value: Value, _ direction: Query.Direction) {
    append(ValueKey.encode(value.indexed), direction)
  }

  package mutating func append(_ path: DocumentPath, _ direction: Query.Direction) {
    append(NameKey.document(path) + [0], direction)
  }

  /// Goes on with the parts of another key.
  package mutating func append(_ key: SortKey) {
    bytes += key.bytes
  }

  /// The first place behind all that begin with this one.
  package var end: SortKey {
    var end = SortKey()
    // Without a greater key: one longer than any that is made here can be.
    end.bytes = KeyPrefix.end(of: bytes) ?? Array(repeating: 0xff, count: bytes.count + 16)
    return end
  }

  private mutating func append(_ part: [UInt8], _ direction: Query.Direction) {
    switch direction {
    case .ascending: bytes += part
    case .descending: bytes += part.map { ~$0 }
    }
  }

  package static func < (left: SortKey, right: SortKey) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
