internal import Coding

/// Times as fields carry them (RFC 9110 §5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum HTTPDate {
  /// The text of a time in seconds since 1970, which is not negative.
  package static func format(_ seconds: Int64) -> String {
    DateCache.format(max(0, seconds))
  }

  /// The seconds since 1970 that a text of the preferred form stands for; `nil` for any other.
  package static func parse(_ text: String) -> Int64? {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 6, parts[0].utf8.count == 4, parts[5] == "GMT",
      let month = months.firstIndex(where: { $0 == parts[2] })
    else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    return Timestamp(rfc3339: "\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")?.seconds
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
