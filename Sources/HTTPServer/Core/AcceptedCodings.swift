/// What the `accept-encoding` fields of a request allow (RFC 9110 §12.5.3).
package enum AcceptedCodings {
  /// Whether gzip is acceptable and not less welcome than no compression.
  package static func allowGzip(_ values: [String]) -> Bool {
    var gzip: Int?
    var identity: Int?
    var others: Int?
    for value in values {
      for item in value.split(separator: ",") {
        let parts = item.split(separator: ";").map {
          $0.filter { $0 != " " && $0 != "\t" }.lowercased()
        }
        guard let coding = parts.first else { continue }
        let weight =
          parts.dropFirst().first { $0.hasPrefix("q=") }
          .map { thousandths($0.dropFirst(2)) } ?? 1_000
        switch coding {
        case "gzip", "x-gzip": gzip = weight
        case "identity": identity = weight
        case "*": others = weight
        default: break
        }
      }
    }
    let weight = gzip ?? others ?? 0
    return weight > 0 && weight >= identity ?? 0
  }

  /// A weight, `0.125` as 125; 0 if it is none.
  private static func thousandths(_ text: Substring) -> Int {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count == 2 ? parts[1] : ""
    guard let whole = Int(parts[0]), whole == 0 || whole == 1, fraction.utf8.count <= 3,
      fraction.utf8.allSatisfy({ 0x30...0x39 ~= $0 })
    else { return 0 }
    let digits = fraction + String(repeating: "0", count: 3 - fraction.utf8.count)
    return min(1_000, whole * 1_000 + (Int(digits) ?? 0))
  }
}
