internal import CCrypto

/// MD5 (RFC 1321) of bytes that come in pieces; a checksum, nothing more.
package struct MD5: Sendable {
  private var context: MD5_CTX

  package init() {
    context = MD5_CTX()
    unsafe MD5_Init(&context)
  }

  /// The 16 bytes for `bytes`.
  package static func digest(_ bytes: [UInt8]) -> [UInt8] {
    var hash = MD5()
    hash.update(bytes.span)
    return hash.digest
  }

  package mutating func update(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBytes { _ = unsafe MD5_Update(&context, $0.baseAddress, $0.count) }
  }

  /// The 16 bytes for what was given so far; more may follow.
  package var digest: [UInt8] {
    var copy = context
    var digest = [UInt8](repeating: 0, count: Int(MD5_DIGEST_LENGTH))
    unsafe MD5_Final(&digest, &copy)
    return digest
  }
}
