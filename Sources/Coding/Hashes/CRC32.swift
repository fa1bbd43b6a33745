/// CRC-32 as Ethernet and gzip have it: polynomial 0x04C11DB7, reflected, initial value and final XOR all ones.
package enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in
      value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xedb8_8320
    }
  }

  package static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { crc, byte in
      crc >> 8 ^ table[Int((crc ^ UInt32(byte)) & 0xff)]
    }
  }
}
