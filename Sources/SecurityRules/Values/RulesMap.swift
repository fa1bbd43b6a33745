internal import Coding

/// The key of a map, with its first bytes as a number, by which most keys are told apart.
struct RulesKey: Sendable {
  struct Start: Equatable, Sendable {
    /// The first eight bytes, the first one highest; zeros where there are fewer.
    fileprivate let bytes: UInt64
    /// Of the whole key.
    fileprivate let count: Int

    /// Whether it is all of the key.
    fileprivate var isWhole: Bool { count <= 8 }
  }

  let text: String
  let start: Start

  init(_ text: String) {
    self.text = text
    let utf8 = text.utf8.span
    var bytes: UInt64 = 0
    for index in 0..<8 { bytes = bytes << 8 | (index < utf8.count ? UInt64(utf8[index]) : 0) }
    start = Start(bytes: bytes, count: utf8.count)
  }

  /// How the bytes stand to those of `other`.
  func order(to other: RulesKey) -> Comparison.Order { order(to: other.start, other.text) }

  fileprivate func order(
    to other: Start, _ text: @autoclosure () -> String
  ) -> Comparison.Order {
    if start.bytes != other.bytes { return start.bytes < other.bytes ? .less : .greater }
    if start.isWhole, other.isWhole {
      return start.count == other.count ? .equal : start.count < other.count ? .less : .greater
    }
    return self.text.byteOrder(to: text())
  }
}

/// A map from strings to values, its keys in the order of their bytes.
package struct RulesMap: Sendable {
  package struct Entry: Sendable {
    let name: RulesKey
    package var value: RulesValue
    /// The place in the order in which the keys came.
    fileprivate var position = 0

    package var key: String { name.text }

    package init(key: String, value: RulesValue) {
      self.init(RulesKey(key), value)
    }

    init(_ name: RulesKey, _ value: RulesValue) {
      self.name = name
      self.value = value
    }
  }

  /// Sorted by key, each key once.
  package private(set) var entries: [Entry] = []

  /// Sorts `entries`; of several with one key the last stays.
  package init(_ entries: some Collection<Entry>) {
    self.entries.reserveCapacity(entries.count)
    for entry in entries { add(entry) }
  }

  /// Takes `entries` as they are: sorted by the bytes of their keys, each key once.
  package init(sorted entries: consuming [Entry]) {
    self.entries = entries
  }

  package var count: Int { entries.count }

  /// In the order in which their keys came, unlike the keys, which are sorted.
  var values: [RulesValue] {
    // What came sorted has one place, and is in front of what came later.
    entries.enumerated().sorted {
      ($0.element.position, $0.offset) < ($1.element.position, $1.offset)
    }.map(\.element.value)
  }

  package subscript(key: String) -> RulesValue? {
    get { self[RulesKey(key)] }
    set {
      if let newValue {
        add(Entry(key: key, value: newValue))
      } else {
        let (index, isThere) = position(of: RulesKey(key).start, key)
        if isThere { entries.remove(at: index) }
      }
    }
  }

  subscript(key: RulesKey) -> RulesValue? {
    place(of: key.start, key.text).map { entries[$0].value }
  }

  /// Where the entry is whose key begins so and is `text`; `nil` if there is none.
  func place(of start: RulesKey.Start, _ text: @autoclosure () -> String) -> Int? {
    let (index, isThere) = position(of: start, text())
    return isThere ? index : nil
  }

  /// Puts `entry` in its place, or its value into the entry that has its key.
  private mutating func add(_ entry: Entry) {
    var entry = entry
    entry.position = entries.count
    // Most maps are made in the order of their keys.
    guard let last = entries.last, last.name.order(to: entry.name) != .less else {
      entries.append(entry)
      return
    }
    let (index, isThere) = position(of: entry.name.start, entry.name.text)
    if isThere {
      entries[index].value = entry.value
    } else {
      entries.insert(entry, at: index)
    }
  }

  func isIdentical(to other: RulesMap) -> Bool {
    count == other.count
      && zip(entries, other.entries).allSatisfy {
        $0.key.hasBytes(of: $1.key) && $0.value.isIdentical(to: $1.value)
      }
  }

  /// Where a key is or would be.
  private func position(
    of start: RulesKey.Start, _ text: @autoclosure () -> String
  ) -> (index: Int, isThere: Bool) {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      switch entries[middle].name.order(to: start, text()) {
      case .less: low = middle + 1
      case .equal: return (middle, true)
      case .greater, .none: high = middle
      }
    }
    return (low, false)
  }
}

extension RulesMap: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, RulesValue)...) {
    entries.reserveCapacity(elements.count)
    for (key, value) in elements { add(Entry(key: key, value: value)) }
  }
}

/// The difference of two maps, first level only: the answer of `diff`.
package struct RulesMapDiff: Sendable {
  package enum Status: Sendable {
    case added, removed, changed, unchanged
  }

  package struct Entry: Sendable {
    package var key: String
    package var status: Status
  }

  /// What only the other map has, what both have, what only this one has.
  package let entries: [Entry]

  /// `left.diff(right)`.
  init(_ left: RulesMap, _ right: RulesMap) {
    let removed = right.entries.filter { left[$0.key] == nil }.map {
      Entry(key: $0.key, status: .removed)
    }
    let added = left.entries.filter { right[$0.key] == nil }.map {
      Entry(key: $0.key, status: .added)
    }
    let shared = left.entries.compactMap { entry in
      right[entry.key].map { value in
        Entry(key: entry.key, status: value.isUnchanged(from: entry.value) ? .unchanged : .changed)
      }
    }
    entries = removed + shared + added
  }

  /// The keys with one of `statuses`, as a set.
  func keys(_ statuses: Status...) -> RulesValue {
    .set(entries.filter { statuses.contains($0.status) }.map { .string($0.key) })
  }
}
