internal import Coding

/// The target of a request in parts.
package struct HTTPTarget: Sendable {
  /// What stands between the slashes, each decoded by itself: `/a//b` has "a", "" and "b"; `/` has one that is empty; a plus
  /// is a plus.
  package let decodedSegments: [String]
  /// The last of them as it was sent, still percent-encoded.
  package let lastSegment: String
  /// Whether something in the path is percent-encoded.
  package let hasEscapes: Bool
  /// Names and values in order, decoded, a plus being a space.
  package let query: [(name: String, value: String)]

  /// Takes the origin form `/path?query`, and the absolute form without its scheme and authority.
  ///
  /// - Returns: `nil` if something in it is no percent-encoded UTF-8.
  package init?(_ target: String) {
    let bytes = target.utf8.span
    var start = Self.pathStart(bytes)
    if start < bytes.count, bytes[start] == UInt8(ascii: "/") { start += 1 }
    var end = start
    while end < bytes.count, bytes[end] != UInt8(ascii: "?") { end += 1 }
    var segments: [String] = []
    segments.reserveCapacity(12)
    var position = start
    var (hasEscapes, isPlain) = (false, true)
    for index in start...end {
      if index < end, bytes[index] != UInt8(ascii: "/") {
        if bytes[index] == UInt8(ascii: "%") { (hasEscapes, isPlain) = (true, false) }
        continue
      }
      let bytes = bytes.extracting(position..<index)
      guard let segment = isPlain ? String(utf8: bytes) : PercentCoding.decode(bytes) else {
        return nil
      }
      segments.append(segment)
      isPlain = true
      if index < end { position = index + 1 }
    }
    let queryStart = min(end + 1, bytes.count)
    guard let last = String(utf8: bytes.extracting(position..<end)),
      let query = PercentCoding.decodeQuery(bytes.extracting(queryStart..<bytes.count))
    else { return nil }
    self.decodedSegments = segments
    self.lastSegment = last
    self.hasEscapes = hasEscapes
    self.query = query
  }

  /// Where the path begins behind a scheme and an authority.
  private static func pathStart(_ bytes: Span<UInt8>) -> Int {
    guard bytes.count > 7, bytes[0] == UInt8(ascii: "h") else { return 0 }
    for scheme in ["http://", "https://"] {
      let scheme = scheme.utf8.span
      guard scheme.count <= bytes.count,
        scheme.indices.allSatisfy({ scheme[$0] == bytes[$0] })
      else { continue }
      var start = scheme.count
      while start < bytes.count, bytes[start] != UInt8(ascii: "/"),
        bytes[start] != UInt8(ascii: "?")
      {
        start += 1
      }
      return start
    }
    return 0
  }
}
