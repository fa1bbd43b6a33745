internal import CCrypto

/// SHA-256 (FIPS 180-4).
package enum SHA256 {
  /// The 32 bytes for `bytes`.
  package static func digest(_ bytes: [UInt8]) -> [UInt8] {
    var context = SHA256_CTX()
    unsafe SHA256_Init(&context)
    unsafe bytes.withUnsafeBytes { _ = unsafe SHA256_Update(&context, $0.baseAddress, $0.count) }
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    unsafe SHA256_Final(&digest, &context)
    return digest
  }
}
