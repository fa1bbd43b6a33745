internal import KeyValue
internal import Synchronization

/// Values that were asked for last, so that documents that every request reads cost no statement.
///
/// Each key has one place, which it may share with others. A value in its place is the newest one: a
/// commit empties the places of the keys that it changes before it begins, and a value that was read
/// is put there only if no commit that changes the place has run since before it was read.
final class RecentValues: Sendable {
  /// Longer keys and values are not kept, so that all of them are little more than 1 MiB.
  private static let longestKey = 256
  private static let longestValue = 4 << 10

  private struct Entry {
    let key: [UInt8]
    let value: [UInt8]
    let space: Space
  }

  private struct Place {
    /// Odd while a commit runs that changes keys of the place; grows when one begins and ends.
    var stamp = 0
    var entry: Entry?

    func value(_ space: Space, _ key: [UInt8]) -> [UInt8]? {
      guard let entry, entry.space == space, entry.key == key else { return nil }
      return entry.value
    }
  }

  private let places = InlineArray<256, Mutex<Place>> { _ in Mutex(Place()) }

  /// The value at `key`: the recent one, or what `read` finds, which is kept.
  func value(
    _ space: Space, _ key: [UInt8], otherwise read: () throws(StoreError) -> [UInt8]?
  ) throws(StoreError) -> [UInt8]? {
    guard let index = Self.index(space, key) else { return try read() }
    let (recent, stamp) = places[index].withLock { ($0.value(space, key), $0.stamp) }
    if let recent { return recent }
    // What is not there is not kept, lest made up keys drive out others.
    guard let value = try read() else { return nil }
    guard value.count <= Self.longestValue, stamp.isMultiple(of: 2) else { return value }
    // What was there is released when the lock is free again.
    var entry = Entry(key: key, value: value, space: space) as Entry?
    places[index].withLock { place in
      if place.stamp == stamp { swap(&place.entry, &entry) }
    }
    return value
  }

  /// Runs `commit`, all of whose effects are in or undone when it returns or throws; for one thread
  /// at a time.
  func changing<Failure: Error>(
    _ changed: Places, _ commit: () throws(Failure) -> Void
  ) throws(Failure) {
    begin(changed)
    defer { changed.forEach { index in places[index].withLock { $0.stamp += 1 } } }
    try commit()
  }

  /// Forgets everything, and keeps nothing from now on.
  func close() {
    begin(.all)
  }

  private func begin(_ changed: Places) {
    changed.forEach { index in
      let last = places[index].withLock { place in
        place.stamp += 1
        return place.entry.take()
      }
      _ = consume last
    }
  }

  /// Nil where nothing is kept.
  private static func index(_ space: Space, _ key: [UInt8]) -> Int? {
    guard space.hasRecentValues, key.count <= longestKey else { return nil }
    let hash = unsafe key.withUnsafeBytes { bytes in
      var hash = UInt64(space.rawValue)
      func mix(_ word: UInt64) {
        hash = (hash ^ word) &* 0x9e37_79b9_7f4a_7c15
        hash ^= hash >> 32
      }
      var offset = 0
      while offset + 8 <= bytes.count {
        mix(unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        offset += 8
      }
      while offset < bytes.count {
        mix(UInt64(unsafe bytes[offset]))
        offset += 1
      }
      return hash
    }
    // The upper bits are those on which all bytes have a say.
    return Int(hash >> 56)
  }

  /// A set of places.
  struct Places {
    static let all = Places(words: InlineArray(repeating: .max))

    private var words: InlineArray<4, UInt64>

    private init(words: InlineArray<4, UInt64>) {
      self.words = words
    }

    init() {
      self.init(words: InlineArray(repeating: 0))
    }

    /// Adds the place of `key`.
    mutating func insert(_ space: Space, _ key: [UInt8]) {
      guard let index = RecentValues.index(space, key) else { return }
      words[index / 64] |= 1 << UInt64(index % 64)
    }

    /// Adds the places of all keys of `space`.
    mutating func insertAll(_ space: Space) {
      if space.hasRecentValues { self = .all }
    }

    mutating func formUnion(_ other: Places) {
      for index in words.indices { words[index] |= other.words[index] }
    }

    func forEach(_ body: (Int) -> Void) {
      for number in words.indices {
        var word = words[number]
        while word != 0 {
          body(number * 64 + word.trailingZeroBitCount)
          word &= word - 1
        }
      }
    }
  }
}

extension Space {
  /// Whether its keys are read one by one outside of views.
  fileprivate var hasRecentValues: Bool {
    switch self {
    case .documents, .collections: true
    case .databases, .groups, .history, .changes, .indexes, .entries, .objects, .buckets, .uploads:
      false
    }
  }
}
