internal import CPlatform

/// CRC-32C of bytes that come in pieces: polynomial 0x1EDC6F41, reflected, initial value and final XOR all ones.
package struct CRC32C: Hashable, Sendable {
  /// The checksum of what was given so far.
  package private(set) var value: UInt32 = 0

  package init() {}

  package mutating func update(_ bytes: Span<UInt8>) {
    value = unsafe bytes.withUnsafeBytes {
      unsafe cplatform_crc32c(value, $0.baseAddress, $0.count)
    }
  }
}
