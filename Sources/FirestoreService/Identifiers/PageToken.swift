internal import Coding
internal import FirestoreModel

/// Makes and reads the tokens of one listing: where a page ended, bound to what was asked for.
///
/// ```
/// base64 of   0         8
///             | binding | position …
/// ```
/// The binding is the FNV-1a hash of what was asked for, eight bytes, big end first. It finds mistakes, not forgers: a forged
/// position reads nothing that could not be asked for.
struct PageToken {
  private let binding: [UInt8]

  init(binding parts: [String]) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for part in parts {
      for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      hash = (hash ^ 0xff) &* 0x100_0000_01b3
    }
    var writer = KeyWriter()
    writer.unsigned(hash)
    self.binding = writer.bytes
  }

  func seal(_ position: [UInt8]) -> String {
    Base64.encode(binding + position)
  }

  /// - Throws: `INVALID_ARGUMENT` for a token of something else.
  func open(_ token: String) throws(FirestoreError) -> [UInt8] {
    guard let bytes = Base64.decode(token), bytes.starts(with: binding) else {
      throw .invalidPageToken
    }
    return Array(bytes.dropFirst(binding.count))
  }
}

extension FirestoreError {
  static var invalidPageToken: FirestoreError { .invalidArgument("invalid page token") }
}
