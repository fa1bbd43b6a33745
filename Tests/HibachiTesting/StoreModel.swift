package import KeyValue

/// What an `OrderedStore` must hold, kept in the simplest way that can't be wrong.
package struct StoreModel: Sendable {
  private var spaces: [Space: [[UInt8]: [UInt8]]] = [:]
  package var version: Int64 = 0

  package init() {}

  package func get(_ space: Space, _ key: [UInt8]) -> [UInt8]? {
    spaces[space]?[key]
  }

  package func pairs(_ space: Space, _ range: KeyRange) -> [KeyValuePair] {
    (spaces[space] ?? [:])
      .filter { key, _ in
        !key.lexicographicallyPrecedes(range.lower)
          && (range.upper.map { key.lexicographicallyPrecedes($0) } ?? true)
      }
      .map { KeyValuePair(key: $0.key, value: $0.value) }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }
  }

  package mutating func put(_ space: Space, _ key: [UInt8], _ value: [UInt8]) {
    spaces[space, default: [:]][key] = value
  }

  package mutating func delete(_ space: Space, _ key: [UInt8]) {
    spaces[space]?[key] = nil
  }

  package mutating func delete(_ space: Space, _ range: KeyRange, limit: Int) -> Int {
    let doomed = pairs(space, range).prefix(max(0, limit))
    for pair in doomed { delete(space, pair.key) }
    return doomed.count
  }
}
