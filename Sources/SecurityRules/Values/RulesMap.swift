internal import Coding

/// The key of a map, with its first bytes as a number, by which most keys are told apart.
struct RulesKey: Sendable {
  let text: String
  /// The first eight bytes, the first one highest; zeros where there are fewer.
  private let start: UInt64
  private let count: Int

  init(_ text: String) {
    self.text = text
    let bytes = text.utf8.span
    count = bytes.count
    var start: UInt64 = 0
    for index in 0..<8 { start = start << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0) }
    self.start = start
  }

  /// How the bytes stand to those of `other`.
  func order(to other: RulesKey) -> Comparison.Order {
    if start != other.start { return start < other.start ? .less : .greater }
    if count <= 8, other.count <= 8 {
      return count == other.count ? .equal : count < other.count ? .less : .greater
    }
    return text.byteOrder(to: other.text)
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
  package init(sorted entries: [Entry]) {
    self.entries = entries
    for index in entries.indices { self.entries[index].position = index }
  }

  package var count: Int { entries.count }

  /// In the order in which their keys came, unlike the keys, which are sorted.
  var values: [RulesValue] {
    entries.sorted { $0.position < $1.position }.map(\.value)
  }

  package subscript(key: String) -> RulesValue? {
    get { self[RulesKey(key)] }
    set {
      if let newValue {
        add(Entry(key: key, value: newValue))
      } else {
        let (index, isThere) = position(of: RulesKey(key))
        if isThere { entries.remove(at: index) }
      }
    }
  }

  subscript(key: RulesKey) -> RulesValue? {
    let (index, isThere) = position(of: key)
    return isThere ? entries[index].value : nil
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
    let (index, isThere) = position(of: entry.name)
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

  /// Where `key` is or would be.
  private func position(of key: RulesKey) -> (index: Int, isThere: Bool) {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      switch entries[middle].name.order(to: key) {
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
