internal import Coding

/// A map from strings to values, its keys in the order of their bytes.
package struct RulesMap: Sendable {
  package struct Entry: Sendable {
    package var key: String
    package var value: RulesValue
    /// The place in the order in which the keys came.
    fileprivate(set) var position = 0

    package init(key: String, value: RulesValue) {
      self.key = key
      self.value = value
    }
  }

  /// Sorted by key, each key once.
  package private(set) var entries: [Entry]

  /// Sorts `entries`; of several with one key the last stays.
  package init(_ entries: [Entry]) {
    self.entries = []
    self.entries.reserveCapacity(entries.count)
    for entry in entries { self[entry.key] = entry.value }
  }

  package var count: Int { entries.count }

  /// In the order in which their keys came, unlike the keys, which are sorted.
  var values: [RulesValue] {
    entries.sorted { $0.position < $1.position }.map(\.value)
  }

  package subscript(key: String) -> RulesValue? {
    get {
      let (index, isThere) = position(of: key)
      return isThere ? entries[index].value : nil
    }
    set {
      let (index, isThere) = position(of: key)
      if let newValue {
        if isThere {
          entries[index].value = newValue
        } else {
          var entry = Entry(key: key, value: newValue)
          entry.position = entries.count
          if index == entries.count {
            entries.append(entry)
          } else {
            entries.insert(entry, at: index)
          }
        }
      } else if isThere {
        entries.remove(at: index)
      }
    }
  }

  func isIdentical(to other: RulesMap) -> Bool {
    count == other.count
      && zip(entries, other.entries).allSatisfy {
        $0.key.hasBytes(of: $1.key) && $0.value.isIdentical(to: $1.value)
      }
  }

  /// Where `key` is or would be.
  private func position(of key: String) -> (index: Int, isThere: Bool) {
    // Most maps are made in the order of their keys.
    if let last = entries.last, last.key.byteOrder(to: key) == .less {
      return (entries.count, false)
    }
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      switch entries[middle].key.byteOrder(to: key) {
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
    self.init(elements.map { Entry(key: $0.0, value: $0.1) })
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
