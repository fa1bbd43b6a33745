package import ObjectStorage

/// How buckets come and go.
package enum BucketStyle: Hashable, Sendable {
  /// An upload makes the bucket that it names.
  case firebase
  /// They are made by themselves alone, and go with all generations that are not current.
  case fakeGCSServer
}

/// What can be asked of objects; each operation is in a file of its own.
package struct StorageOperations: Sendable {
  let store: ObjectStore
  let style: BucketStyle
  /// The security rules in force; `nil` where there never are any.
  let rules: StorageRules?
  let random: @Sendable () -> UInt64

  package init(
    store: ObjectStore, style: BucketStyle = .firebase, rules: StorageRules? = nil,
    random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
  ) {
    self.store = store
    self.style = style
    self.rules = rules
    self.random = random
  }

  /// A download token: a UUID of version 4.
  func makeToken() -> String {
    let high = random() & 0xffff_ffff_ffff_0fff | 0x4000
    let low = random() & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
    let digits = [high, low].map { word in
      let text = String(word, radix: 16)
      return String(repeating: "0", count: 16 - text.utf8.count) + text
    }.joined()
    let ends = [8, 12, 16, 20, 32]
    return zip([0] + ends, ends).map { start, end in
      String(digits.dropFirst(start).prefix(end - start))
    }.joined(separator: "-")
  }
}
