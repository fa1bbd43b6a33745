internal import FirestoreModel
internal import KeyValue

/// A part of the documents of one collection, in one range of keys.
struct Segment: Sendable {
  let collection: CollectionPath
  /// What the name keys of its documents begin with, and their storage keys.
  let namePrefix: [UInt8]
  let storagePrefix: [UInt8]
  /// Not above the name key of the first document.
  let start: [UInt8]
  let range: KeyRange

  /// The part of `collection` in `names`; `nil` if there is none.
  init?(_ collection: CollectionPath, in number: DatabaseNumber, _ names: NameRange) {
    self.collection = collection
    self.namePrefix = NameKey.collection(collection)
    self.storagePrefix = StorageKey.collection(number, collection)
    var range = KeyRange(prefix: storagePrefix)
    var start = namePrefix
    if start.lexicographicallyPrecedes(names.lower) {
      guard names.lower.starts(with: namePrefix) else { return nil }
      range.lower = storagePrefix + Self.bound(names.lower.dropFirst(namePrefix.count))
      start = names.lower
    }
    if let upper = names.upper {
      if upper.starts(with: namePrefix) {
        range.upper = storagePrefix + Self.bound(upper.dropFirst(namePrefix.count))
      } else if upper.lexicographicallyPrecedes(namePrefix) {
        return nil
      }
    }
    guard !range.isEmpty else { return nil }
    self.start = start
    self.range = range
  }

  /// A bound behind a document that may be one of what is below it, as one just behind the document: that is where its history
  /// is looked for.
  private static func bound(_ rest: ArraySlice<UInt8>) -> [UInt8] {
    let rest = Array(rest)
    var reader = KeyReader(rest)
    guard reader.documentID() != nil, !reader.isAtEnd else { return rest }
    return KeyPrefix.next(after: Array(rest[..<reader.offset]))
  }

  func nameKey(_ key: [UInt8]) -> [UInt8] {
    namePrefix + key.dropFirst(storagePrefix.count)
  }

  func path(_ key: [UInt8]) throws(StoreError) -> DocumentPath {
    guard let id = StorageKey.documentID(of: key, behind: storagePrefix) else { throw .damaged }
    return DocumentPath(collection, id)
  }
}

/// The documents of many segments in the order of their names, read in batches.
///
/// Only segments that the order has come to are open: collections within one another, so never many.
struct SegmentStream: Sendable {
  private struct Cursor: Sendable {
    let segment: Segment
    var rest: KeyRange?
    /// The rows read and not taken yet, the next one last.
    var rows: [DatabaseView.Row] = []
    /// The name key of the next row; empty while nobody has to know.
    var head: [UInt8] = []
  }

  private let segments: [Segment]
  private let direction: ScanDirection
  private var next = 0
  /// Cursors with rows, the one whose turn it is last.
  private var open: [Cursor] = []
  /// The cursor that was read from last; it may be out of rows.
  private var current: Cursor?
  private var batch = 16

  /// Descending only for the segments of one collection.
  init(_ segments: [Segment], _ direction: ScanDirection) {
    self.segments = segments.sorted { left, right in
      switch direction {
      case .ascending: left.start.lexicographicallyPrecedes(right.start)
      case .descending: right.start.lexicographicallyPrecedes(left.start)
      }
    }
    self.direction = direction
  }

  var isAtEnd: Bool { current == nil && open.isEmpty && next == segments.count }

  /// The next document; `nil` at the end, or when `budget`, the number of rows that may still be read, is used up.
  mutating func document(
    in view: DatabaseView, _ budget: inout Int
  ) throws(StoreError) -> Document? {
    while true {
      guard try settle(view, &budget) else { return nil }
      if next < segments.count, open.last.map(isDue) ?? true {
        current = Cursor(segment: segments[next], rest: segments[next].range)
        next += 1
        continue
      }
      guard var cursor = open.popLast(), let row = cursor.rows.popLast() else { return nil }
      let path = try cursor.segment.path(row.key)
      current = cursor
      return row.record.document(named: DocumentName(database: view.database, path: path))
    }
  }

  /// Whether the next segment may begin before the next row of `cursor`.
  private func isDue(_ cursor: Cursor) -> Bool {
    direction == .ascending && !cursor.head.lexicographicallyPrecedes(segments[next].start)
  }

  /// Puts the current cursor in its place among the open ones; `false` if the budget is used up before it has a row.
  private mutating func settle(
    _ view: DatabaseView, _ budget: inout Int
  ) throws(StoreError) -> Bool {
    guard var cursor = current else { return true }
    current = nil
    while cursor.rows.isEmpty, let range = cursor.rest {
      guard budget > 0 else {
        current = cursor
        return false
      }
      let page = try view.scan(range, direction, limit: min(batch, budget))
      budget -= max(1, page.rows.count)
      cursor.rest = page.rest
      cursor.rows = page.rows.reversed()
      adaptBatch(to: page.rows)
    }
    guard let row = cursor.rows.last else { return true }
    if !open.isEmpty || next < segments.count { cursor.head = cursor.segment.nameKey(row.key) }
    let index = open.lastIndex { cursor.head.lexicographicallyPrecedes($0.head) }
    open.insert(cursor, at: index.map { $0 + 1 } ?? 0)
    return true
  }

  /// Twice as many rows the next time, but about as many bytes as a page has at most.
  private mutating func adaptBatch(to rows: [DatabaseView.Row]) {
    guard !rows.isEmpty else { return }
    let bytes = rows.reduce(0) { $0 + $1.record.fields.bytes.count }
    let fitting = QueryRun.bytesPerPage / max(1, bytes / rows.count)
    batch = max(1, min(batch * 2, fitting, QueryRun.rowsPerStep))
  }
}
