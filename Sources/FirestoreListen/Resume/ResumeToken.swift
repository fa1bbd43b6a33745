internal import FirestoreModel

/// Where a listener goes on after a break: opaque to clients.
///
/// ```
/// 0   1             9        17
/// | 1 | incarnation | version |
/// ```
/// Both numbers have their big end first.
package struct ResumeToken: Hashable, Sendable {
  /// The life of the database that the client saw; 0 while nothing was ever written.
  package var incarnation: Int64
  /// The newest commit, of any database, that the client's state holds.
  package var version: Int64

  package init(incarnation: Int64, version: Int64) {
    self.incarnation = incarnation
    self.version = version
  }

  /// `nil` for bytes that are no token.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == 17, bytes[0] == 1 else { return nil }
    var reader = KeyReader(bytes, from: 1)
    guard let incarnation = reader.unsigned(), let version = reader.unsigned() else { return nil }
    self.init(
      incarnation: Int64(bitPattern: incarnation), version: Int64(bitPattern: version))
  }

  package var bytes: [UInt8] {
    var writer = KeyWriter([1])
    writer.unsigned(UInt64(bitPattern: incarnation))
    writer.unsigned(UInt64(bitPattern: version))
    return writer.bytes
  }
}
