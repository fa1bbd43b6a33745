/// The index of the first byte from `start` on that cannot stand in a JSON string as it is: a quote, a backslash, a
/// control character; `count` if there is none. Looks at eight bytes at a time.
func plainTextEnd(_ text: Span<UInt8>, from start: Int) -> Int {
  unsafe text.withUnsafeBytes { buffer in
    var index = start
    while index &+ 8 <= buffer.count {
      let word = UInt64(
        littleEndian: unsafe buffer.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let found =
        bytesBelow(0x20, in: word) | bytesEqual(0x22, in: word)
        | bytesEqual(0x5c, in: word)
      if found != 0 { return index &+ found.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < buffer.count {
      let byte = unsafe buffer[index]
      if byte < 0x20 || byte == 0x22 || byte == 0x5c { return index }
      index &+= 1
    }
    return index
  }
}

private let ones: UInt64 = 0x0101_0101_0101_0101

/// Sets the high bit of the lowest byte of `word` that is below `limit`, at most 0x80; those of higher ones mean nothing.
private func bytesBelow(_ limit: UInt64, in word: UInt64) -> UInt64 {
  (word &- (ones &* limit)) & ~word & (ones &* 0x80)
}

private func bytesEqual(_ byte: UInt64, in word: UInt64) -> UInt64 {
  bytesBelow(1, in: word ^ (ones &* byte))
}
