package import Coding

/// A bucket and a name in it. Names are byte strings: nothing in them is a path, and no normal form is applied.
package struct ObjectName: Hashable, Sendable {
  /// The longest name in bytes.
  package static let maximumLength = 1024
  static let maximumBucketLength = 222

  package let bucket: UTF8String
  package let name: UTF8String

  /// - Throws: `.invalidArgument` for what no object can be called: nothing, `.`, `..`, more than 1,024 bytes, a line break, a name
  ///   that is kept for certificates.
  package init(bucket: UTF8String, name: UTF8String) throws(StorageError) {
    try Self.check(bucket: bucket)
    guard 1...Self.maximumLength ~= name.count else {
      throw StorageError(.invalidArgument, "An object name has 1 to 1024 bytes of UTF-8.")
    }
    guard !name.utf8.contains(0x0a), !name.utf8.contains(0x0d) else {
      throw StorageError(.invalidArgument, "An object name has no line breaks.")
    }
    guard name != ".", name != "..", !name.utf8.starts(with: Self.reserved) else {
      throw StorageError(.invalidArgument, "The object name \(name) is reserved.")
    }
    self.bucket = bucket
    self.name = name
  }

  private static let reserved = ".well-known/acme-challenge/".utf8

  /// - Throws: `.invalidArgument` for what no bucket can be called.
  static func check(bucket: UTF8String) throws(StorageError) {
    guard 1...maximumBucketLength ~= bucket.count,
      bucket.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "/") })
    else { throw StorageError(.invalidArgument, "Invalid bucket name.") }
  }
}
