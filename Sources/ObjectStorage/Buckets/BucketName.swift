package import Coding

/// The rules for names of buckets that users make themselves. Those that Firebase makes on first use may have others.
package enum BucketName {
  /// Whether a bucket may be made under this name: 3 to 63 letters in lower case, digits, `-`, `_` and `.`, up to 222 in parts of 63
  /// if there are dots; a letter or digit at both ends; nothing that looks like an address or like Google.
  package static func isValid(_ name: UTF8String) -> Bool {
    let bytes = Array(name.utf8)
    let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard 3...(labels.count > 1 ? 222 : 63) ~= bytes.count,
      labels.allSatisfy({ 1...63 ~= $0.count }),
      let first = bytes.first, let last = bytes.last, isAlphanumeric(first), isAlphanumeric(last),
      bytes.allSatisfy({ isAlphanumeric($0) || [0x2d, 0x2e, 0x5f].contains($0) }),
      !bytes.starts(with: "goog".utf8)
    else { return false }
    let isAddress =
      labels.count == 4
      && labels.allSatisfy { $0.count <= 3 && $0.allSatisfy { 0x30...0x39 ~= $0 } }
    return !isAddress && !name.string.contains("google")
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || 0x61...0x7a ~= byte
  }
}
