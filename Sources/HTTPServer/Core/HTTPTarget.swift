internal import Coding

/// The target of a request in parts.
package struct HTTPTarget: Sendable {
  /// What stands between the slashes, still percent-encoded: `/a//b` has "a", "" and "b"; `/` has one that is empty.
  package let segments: [Substring]
  /// The same, each decoded by itself; a plus is a plus.
  package let decodedSegments: [String]
  /// Names and values in order, decoded, a plus being a space.
  package let query: [(name: String, value: String)]

  /// Takes the origin form `/path?query`, and the absolute form without its scheme and authority.
  ///
  /// - Returns: `nil` if something in it is no percent-encoded UTF-8.
  package init?(_ target: String) {
    var rest = Substring(target)
    for scheme in ["http://", "https://"] where rest.utf8.starts(with: scheme.utf8) {
      rest = rest.dropFirst(scheme.count)
      rest = rest[(rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex)...]
    }
    let parts = rest.utf8.split(
      separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts[0].first == UInt8(ascii: "/") ? parts[0].dropFirst() : parts[0]
    let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { Substring($0) }
    let decoded = segments.compactMap { PercentCoding.decode($0) }
    guard decoded.count == segments.count,
      let query = PercentCoding.decodeQuery(parts.count == 2 ? Substring(parts[1]) : "")
    else { return nil }
    self.segments = segments
    self.decodedSegments = decoded
    self.query = query
  }
}
