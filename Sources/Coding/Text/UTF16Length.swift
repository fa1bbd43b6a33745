/// The length of texts as JavaScript counts it.
package enum UTF16Length {
  /// How many UTF-16 code units the UTF-8 text has: two for a character beyond U+FFFF, one for any other.
  package static func count(_ text: Span<UInt8>) -> Int {
    var count = 0
    for index in text.indices {
      let byte = text[index]
      count &+= (byte & 0xc0 != 0x80 ? 1 : 0) &+ (byte >= 0xf0 ? 1 : 0)
    }
    return count
  }
}
