internal import FirestoreModel

/// The documents that come first in an order, of all that are offered: a heap if there is a limit.
struct Selection: Sendable {
  struct Entry: Sendable {
    var key: SortKey
    var name: DocumentName
    /// Only while there is room; it can be read again.
    var document: Document?
    /// To the vector of the query.
    var distance: Double?
  }

  private let limit: Int?
  /// With a limit that is reached, a heap: no entry comes behind its parent, at half its index.
  private var entries: [Entry] = []
  private var bytes = 0
  /// Bytes of fields that are kept.
  private static let room = 4 << 20

  init(limit: Int?) {
    self.limit = limit
  }

  mutating func offer(_ key: SortKey, _ document: Document, distance: Double? = nil) {
    guard limit != 0 else { return }
    let isFull = entries.count == limit
    if isFull, let last = entries.first, !(key < last.key) { return }
    var entry = Entry(key: key, name: document.name, document: nil, distance: distance)
    let size = document.fields.bytes.count
    if isFull, let dropped = entries.first?.document { bytes -= dropped.fields.bytes.count }
    if bytes + size <= Self.room {
      entry.document = document
      bytes += size
    }
    if isFull {
      entries[0] = entry
      sink()
    } else {
      entries.append(entry)
      if entries.count == limit { entries.sort { $1.key < $0.key } }
    }
  }

  /// All entries in order; this empties the selection.
  mutating func sorted() -> [Entry] {
    defer { entries = [] }
    return entries.sorted { $0.key < $1.key }
  }

  /// Moves the first entry to its place.
  private mutating func sink() {
    var index = 0
    while true {
      var child = 2 * index + 1
      guard child < entries.count else { return }
      if child + 1 < entries.count, entries[child].key < entries[child + 1].key { child += 1 }
      guard entries[index].key < entries[child].key else { return }
      entries.swapAt(index, child)
      index = child
    }
  }
}
