internal import Coding
internal import FirestoreModel

/// `google.firestore.v1.BloomFilter`: a set of names that says of a few others too that it holds them.
///
/// Bit n is `bitmap[n / 8] & 1 << n % 8`. A name takes the bits h1 + i · h2 for i below `hashCount`, modulo 2⁶⁴ and then modulo
/// the number of bits; h1 and h2 are the halves of the MD5 of its UTF-8 bytes, little end first.
package struct BloomFilter: Hashable, Sendable {
  /// What the bits of a name are made of.
  package struct Entry: Hashable, Sendable {
    fileprivate var first: UInt64
    fileprivate var second: UInt64

    /// `name` is the full name of a document.
    package init(_ name: String) {
      let digest = MD5.digest(Array(name.utf8))
      self.first = Self.number(digest.prefix(8))
      self.second = Self.number(digest.suffix(8))
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
      bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The bits of the name.
    package func indexes(bitCount: Int, hashCount: Int) -> [Int] {
      (0..<hashCount).map { index in
        Int((first &+ UInt64(index) &* second) % UInt64(bitCount))
      }
    }
  }

  package private(set) var bitmap: [UInt8]
  /// Bits of the last byte that do not count.
  package let padding: Int
  package let hashCount: Int

  /// A filter that wrongly holds one of ten thousand names.
  package init(_ entries: [Entry]) {
    // -ln 0.0001 / ln² 2 bits for each name, and ln 2 times as many hashes. Few bits, or an even number of them, would not keep
    // the bits of a name apart.
    self.init(
      entries, bitCount: entries.isEmpty ? 0 : max(509, entries.count * 19_171 / 1_000) | 1,
      hashCount: entries.isEmpty ? 0 : 13)
  }

  /// Both numbers are above 0 where there are entries.
  package init(_ entries: [Entry], bitCount: Int, hashCount: Int) {
    self.bitmap = Array(repeating: 0, count: (bitCount + 7) / 8)
    self.padding = bitmap.count * 8 - bitCount
    self.hashCount = hashCount
    for entry in entries {
      for index in entry.indexes(bitCount: bitCount, hashCount: hashCount) {
        bitmap[index / 8] |= 1 << (index % 8)
      }
    }
  }

  package func contains(_ entry: Entry) -> Bool {
    let bitCount = bitmap.count * 8 - padding
    guard bitCount > 0 else { return false }
    return entry.indexes(bitCount: bitCount, hashCount: hashCount)
      .allSatisfy { bitmap[$0 / 8] >> ($0 % 8) & 1 == 1 }
  }
}
