private import CCrypto

/// The MD5 hash, for formats that prescribe it; it protects nothing.
package enum MD5 {
  /// The 16 bytes of the hash.
  package static func digest(_ bytes: [UInt8]) -> [UInt8] {
    var context = MD5_CTX()
    var digest = [UInt8](repeating: 0, count: 16)
    let isDone =
      unsafe MD5_Init(&context) == 1
      && MD5_Update(&context, bytes, bytes.count) == 1 && MD5_Final(&digest, &context) == 1
    precondition(isDone, "MD5 failed")
    return digest
  }
}
