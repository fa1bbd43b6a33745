internal import FirestoreModel

/// The first results of a query, in order.
struct WindowContent: Sendable {
  var entries: [ResultWindow.Entry]
  /// Whether there are no more.
  var isComplete: Bool
}

/// The first results of a query with a limit, some more than are shown, in order.
struct ResultWindow: Sendable {
  struct Entry: Sendable {
    let key: SortKey
    let path: DocumentPath
  }

  /// The places that are shown.
  let range: Range<Int>
  private var entries: [Entry] = []
  /// Entries are known up to this place; `nil`: all results are among them.
  private var boundary: SortKey?
  private(set) var shown: Set<DocumentPath> = []

  init(_ range: Range<Int>) {
    self.range = range
  }

  /// Whether results are missing that must be looked up.
  var isShort: Bool { boundary != nil && entries.count < range.upperBound }

  /// The results in view.
  var inOrder: [DocumentPath] {
    entries.dropFirst(range.lowerBound).prefix(range.count).map(\.path)
  }

  /// Puts in the first results of the query.
  mutating func fill(_ content: WindowContent) {
    entries = content.entries
    boundary = content.isComplete ? nil : entries.last?.key
  }

  /// Nothing matches any more, and nothing is shown.
  mutating func reset() {
    fill(WindowContent(entries: [], isComplete: true))
    shown = []
  }

  /// A document that was at `before` is at `after` now, where it matches.
  mutating func move(_ path: DocumentPath, from before: SortKey?, to after: SortKey?) {
    if let before {
      let place = place(of: before)
      if place < entries.count, entries[place].key == before { entries.remove(at: place) }
    }
    guard let after, boundary.map({ !($0 < after) }) ?? true else { return }
    entries.insert(Entry(key: after, path: path), at: place(of: after))
    let room = range.upperBound.addingReportingOverflow(512)
    if !room.overflow, entries.count > room.partialValue {
      entries.removeLast(256)
      boundary = entries.last?.key
    }
  }

  /// Shows the results as they are; gives those that came into view, in order, and those that left it.
  mutating func show() -> (entered: [DocumentPath], left: [DocumentPath]) {
    var left = shown
    var entered: [DocumentPath] = []
    for path in inOrder where left.remove(path) == nil { entered.append(path) }
    shown.subtract(left)
    shown.formUnion(entered)
    return (entered, Array(left))
  }

  private func place(of key: SortKey) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
